/* SPDX-License-Identifier: MIT */
/* The powers of five that turn a decimal into a float, see number_scale.h, and
 * a float into a decimal, see output/shortest.c. */
#pragma once

#include <stdint.h>

#include "reduce/hd.h"

/* Below the first, any 64-bit integer times 10^q is under half of the least
 * subnormal of f64: 2^64 * 10^-343 < 2^-1075. Above the last all but 0 is
 * infinite; the rows after it, up to the end, bring subnormals to integers. */
enum { POWERS_FIRST = -342, POWERS_LAST = 308, POWERS_END = 325 };

/* 5^q as (high * 2^64 + low) * 2^k, the top bit of high set. */
struct power {
    uint64_t high, low;
};

/* Plain data of 10 KiB: a copy in device memory serves as well. */
struct powers {
    struct power five[POWERS_END - POWERS_FIRST];
};

/* The host's table; never changes, never ends. */
EXTERN_C const struct powers *number_powers(void);
