/* SPDX-License-Identifier: MIT */
/* The powers of five that turn a decimal into a float, see number_scale.h, and
 * a float into a decimal, see output/shortest.c. */
#pragma once

#include <stdint.h>

#include "reduce/hd.h"

/* For q below POWERS_FIRST, any 64-bit integer times 10^q is under half of the
 * least subnormal of f64: 2^64 * 10^-343 < 2^-1075. For q above POWERS_LAST,
 * any integer but 0 times 10^q is infinite. output/shortest.c uses the rows
 * after POWERS_LAST to turn subnormals into integers. */
enum { POWERS_FIRST = -342, POWERS_LAST = 308, POWERS_END = 325 };

/* 5^q as (high * 2^64 + low) * 2^k, the top bit of high set. */
struct power {
    uint64_t high, low;
};

/* Plain data of 10 KiB without pointers: the GPU uses a copy in its memory. */
struct powers {
    struct power five[POWERS_END - POWERS_FIRST];
};

/* The host's table: constant and static. Any thread. */
EXTERN_C const struct powers *number_powers(void);
