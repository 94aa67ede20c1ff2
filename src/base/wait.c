/* SPDX-License-Identifier: MIT */
#include "base/wait.h"

#include <time.h>

bool wait_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool ok = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
              pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return ok;
}

bool wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t ns)
{
    const uint64_t second = 1000000000;
    struct timespec t = {(time_t)(ns / second), (long)(ns % second)};
    return pthread_cond_timedwait(condition, lock, &t) == 0;
}
