/* SPDX-License-Identifier: MIT */
#include "number.h"

#include <string.h>

struct float_layout float_layout(enum dtype dtype)
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

uint64_t number_load(enum dtype dtype, const void *data, size_t i)
{
    uint64_t bits = 0;
    size_t size = dtype_info(dtype)->size;
    memcpy(&bits, (const char *)data + i * size, size);
    return bits;
}

static struct number of_float(struct float_layout layout, uint64_t bits)
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

static struct number of_integer(bool is_signed, unsigned width, uint64_t bits)
{
    struct number x = {.mantissa = bits};
    x.negative = is_signed && bits >> (width - 1);
    if (x.negative)
        x.mantissa = (uint64_t)(((unsigned __int128)1 << width) - bits);
    return x;
}

struct number number_of(enum dtype dtype, uint64_t bits)
{
    if (dtype_is_float(dtype))
        return of_float(float_layout(dtype), bits);
    return of_integer(dtype_is_signed(dtype), 8u * dtype_info(dtype)->size,
                      bits);
}
