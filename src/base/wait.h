/* SPDX-License-Identifier: MIT */
/* Waiting for a condition until a given time of the monotonic clock, which is
 * the meter's. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Makes a condition for wait_until. The caller destroys it with
 * pthread_cond_destroy. False on failure. */
bool wait_init(pthread_cond_t *condition);

/* Waits until the condition is signalled (true), or until meter_now() reaches
 * ns (false). May also return true spuriously. The caller holds the lock. */
bool wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t ns);
