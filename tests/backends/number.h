/* SPDX-License-Identifier: MIT */
/* Decodes elements by the definition of each type: sign, integer mantissa and
 * exponent. Inline, since the reference decodes each element twice or more. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

static inline struct float_layout float_layout(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_f16:
        return (struct float_layout){5, 10};
    case DTYPE_bf16:
        return (struct float_layout){8, 7};
    case DTYPE_f32:
        return (struct float_layout){8, 23};
    default:
        return (struct float_layout){11, 52};
    }
}

/* Returns the raw bits of element i. */
static inline uint64_t number_load(enum dtype dtype, const void *data, size_t i)
{
    const char *at = (const char *)data + i * dtype_size(dtype);
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (dtype_size(dtype)) {
    case 1:
        memcpy(&one, at, 1);
        return one;
    case 2:
        memcpy(&two, at, 2);
        return two;
    case 4:
        memcpy(&four, at, 4);
        return four;
    default:
        memcpy(&eight, at, 8);
        return eight;
    }
}

static inline struct number number_of_float(struct float_layout layout,
                                            uint64_t bits)
{
    uint64_t one = 1ull << layout.fraction;
    unsigned top = (1u << layout.exponent) - 1;
    unsigned exponent = (unsigned)(bits >> layout.fraction) & top;
    struct number x = {.mantissa = bits & (one - 1)};
    x.negative = bits >> (layout.fraction + layout.exponent) & 1;
    x.nan = exponent == top && x.mantissa != 0;
    x.inf = exponent == top && x.mantissa == 0;
    /* Subnormals have the exponent of the least normals. */
    if (exponent == 0)
        exponent = 1;
    else
        x.mantissa += one;
    x.exponent = (int)exponent - (int)(top / 2) - (int)layout.fraction;
    return x;
}

static inline struct number number_of_integer(bool is_signed, unsigned width,
                                              uint64_t bits)
{
    struct number x = {.mantissa = bits};
    x.negative = is_signed && bits >> (width - 1);
    if (x.negative)
        x.mantissa = (uint64_t)(((unsigned __int128)1 << width) - bits);
    return x;
}

static inline struct number number_of(enum dtype dtype, uint64_t bits)
{
    if (dtype_is_float(dtype))
        return number_of_float(float_layout(dtype), bits);
    return number_of_integer(dtype_class(dtype) == 'i', 8 * dtype_size(dtype),
                             bits);
}
