/* SPDX-License-Identifier: MIT */
/*
 * The processor's sticky inexact flag. Every float operation that rounds sets
 * it, so one read after a block says whether all operations were exact.
 */
#pragma once

#include "reduce/cpu/vector.h"

#if !defined(__SSE2__)
#include <fenv.h>
#endif

/* The processor never sets the flag, as under valgrind and other emulators that
 * leave it out. Operations then count as inexact. Constant after start-up. */
extern bool inexact_is_hidden;

/* Clears the flag. Operations on values loaded after this call can set it. */
static inline void inexact_begin(void)
{
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() & ~(unsigned)_MM_EXCEPT_INEXACT);
#else
    feclearexcept(FE_INEXACT);
#endif
    /* The operations depend on loads, which may not move above this. */
    __asm__ volatile("" ::: "memory");
}

/* Whether an operation rounded while the numbers last[n] were computed. */
static inline bool inexact_end(double *last, int n)
{
    /* The compiler must compute the numbers before it reads the flag. */
    for (int i = 0; i < n; i++)
        __asm__ volatile("" : "+m"(last[i]) : : "memory");
#if defined(__SSE2__)
    const bool is_raised = _mm_getcsr() & _MM_EXCEPT_INEXACT;
#else
    const bool is_raised = fetestexcept(FE_INEXACT) != 0;
#endif
    return is_raised || inexact_is_hidden;
}
