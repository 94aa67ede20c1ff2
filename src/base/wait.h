/* SPDX-License-Identifier: MIT */
/* Waiting for a condition until a moment of the clock that only goes forward,
 * the meter's. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A condition for wait_until; to be destroyed as any. */
bool wait_init(pthread_cond_t *condition);

/* Under the lock. False when the moment has come, in ns of meter_now; true, at
 * times for no reason, before. */
bool wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t ns);
