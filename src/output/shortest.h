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

/* The shortest decimal that is nearer to x than to any other value of the float
 * dtype (a tie counts if x is even); of several, the one nearest to x. x is
 * finite, above 0 and a value of dtype. `digits` may have trailing zeros, which
 * do not count as digits. */
struct decimal shortest_decimal(double x, enum dtype dtype);
