/* SPDX-License-Identifier: MIT */
/* Decodes elements by the definition of each type: sign, integer mantissa and
 * exponent. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"

/* NaN, Inf, or mantissa * 2^exponent, negated if `negative`. */
struct number {
    bool nan, inf, negative;
    uint64_t mantissa;
    int exponent;
};

/* Bits of the exponent and of the fraction of a float type. */
struct float_layout {
    unsigned exponent, fraction;
};

struct float_layout float_layout(enum dtype dtype);

/* Returns the raw bits of element i. */
uint64_t number_load(enum dtype dtype, const void *data, size_t i);

struct number number_of(enum dtype dtype, uint64_t bits);
