/* SPDX-License-Identifier: MIT */
#include "reduce/cpu/inexact.h"

#include <fenv.h>

bool inexact_is_hidden;

/* Runs before main and its threads, which inherit how this thread computes: a
 * library built with -ffast-math makes it take subnormals for 0. */
__attribute__((constructor)) static void prepare(void)
{
    volatile double one = 1;
    double sum[1];
    fesetenv(FE_DFL_ENV);
    inexact_begin();
    sum[0] = one + 0x1p-60;
    inexact_is_hidden = !inexact_end(sum, 1);
}
