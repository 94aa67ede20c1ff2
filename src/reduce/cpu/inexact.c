/* SPDX-License-Identifier: MIT */
#include "reduce/cpu/inexact.h"

bool inexact_is_hidden;

/* Runs before main, so that loops need not ask for it. */
__attribute__((constructor)) static void look(void)
{
    volatile double one = 1;
    double sum[1];
    inexact_begin();
    sum[0] = one + 0x1p-60;
    inexact_is_hidden = !inexact_end(sum, 1);
}
