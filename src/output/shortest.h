/* SPDX-License-Identifier: MIT */
/* The fewest decimal digits that read back as a float. */
#pragma once

#include <stdint.h>

#include "reduce/dtype.h"

/* digits * 10^exponent; digits < 10^17. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* Of the decimals that are nearer to x than to any other value of the float
 * dtype (at a tie: x is even), those of the fewest digits; of these the one
 * nearest to x, which is finite, above 0 and of the dtype. Trailing zeros of
 * the digits do not count, and may be there. */
struct decimal shortest_decimal(double x, enum dtype dtype);
