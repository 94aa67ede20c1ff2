/* SPDX-License-Identifier: MIT */
/*
 * The processor's sticky inexact flag: set by every float operation that had to
 * round, so it tells for free whether all of a block's were exact.
 */
#pragma once

#include "reduce/cpu/vector.h"

#if !defined(__SSE2__)
#include <fenv.h>
#endif

static inline void inexact_clear(void)
{
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() & ~(unsigned)_MM_EXCEPT_INEXACT);
#else
    feclearexcept(FE_INEXACT);
#endif
}

static inline bool inexact_raised(void)
{
#if defined(__SSE2__)
    return _mm_getcsr() & _MM_EXCEPT_INEXACT;
#else
    return fetestexcept(FE_INEXACT) != 0;
#endif
}

/* Whatever is computed from memory after this is watched. */
static inline void inexact_begin(void)
{
    inexact_clear();
    /* The operations depend on loads, which may not move above this. */
    __asm__ volatile("" ::: "memory");
}

/* Whether anything rounded on the way to the n numbers at last. */
static inline bool inexact_end(double *last, int n)
{
    /* The flag may not be read before they are computed. */
    for (int i = 0; i < n; i++)
        __asm__ volatile("" : "+m"(last[i]) : : "memory");
    return inexact_raised();
}
