/* SPDX-License-Identifier: MIT */
/* Converts values to the form in which bins add them, and back. The device
 * widens a value to 64 bits, f32 to f64 and integers with their sign, and
 * converts it; the host converts results back. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels/by/by.h"
#include "reduce/extrema.h"
#include "reduce/float_format.h"

HD uint64_t gpu_by_widen(enum dtype dtype, uint64_t bits)
{
    const unsigned shift = 64 - 8 * dtype_size(dtype);
    if (dtype == DTYPE_f32) {
        const uint32_t low = (uint32_t)bits;
        float x;
        memcpy(&x, &low, sizeof x);
        return bits_of_double((double)x);
    }
    return dtype_class(dtype) == 'i'
               ? (uint64_t)((int64_t)(bits << shift) >> shift)
               : bits;
}

/* A number in limbs: piece i is added to limb `at + i`. */
struct gpu_by_addend {
    unsigned at;
    int64_t piece[3];
};

/* Splits a float into pieces of the fixed-point number of by/sum.h; 0 has no
 * pieces. False: the float is odd. */
HD bool gpu_by_split_float(uint64_t bits, struct gpu_by_addend *a)
{
    /* As BY_SUM_LSB and BY_SUM_SHIFT. */
    const unsigned shift = (unsigned)(bits >> 52 & 0x7ff) - (1075 - 74);
    const int64_t sign = -(int64_t)(bits >> 63);
    a->at = 0;
    a->piece[0] = a->piece[1] = a->piece[2] = 0;
    if (shift > 73)
        return bits == 0;
    const uint64_t mantissa = (bits & 0xfffffffffffff) | 1ull << 52;
    const unsigned by = shift % GPU_BY_LIMB;
    const uint64_t low = mantissa << by;
    const int64_t high = by ? (int64_t)(mantissa >> (64 - by)) : 0;
    a->at = shift / GPU_BY_LIMB;
    a->piece[0] = ((int64_t)(low & UINT32_MAX) ^ sign) - sign;
    a->piece[1] = ((int64_t)(low >> GPU_BY_LIMB) ^ sign) - sign;
    a->piece[2] = (high ^ sign) - sign;
    return true;
}

HD void gpu_by_split_integer(uint64_t bits, bool is_signed,
                             struct gpu_by_addend *a)
{
    a->at = 0;
    a->piece[0] = (int64_t)(bits & UINT32_MAX);
    a->piece[1] = is_signed ? (int64_t)bits >> GPU_BY_LIMB
                            : (int64_t)(bits >> GPU_BY_LIMB);
    a->piece[2] = 0;
}

/* Splits a value of any dtype. False: the value is odd. */
HD bool gpu_by_split(enum dtype dtype, uint64_t bits, struct gpu_by_addend *a)
{
    if (dtype_is_float(dtype))
        return gpu_by_split_float(bits, a);
    gpu_by_split_integer(bits, dtype_class(dtype) == 'i', a);
    return true;
}

/* The square of a float that is not odd: piece i is added to limb `at + i`. */
struct gpu_by_square {
    unsigned at;
    uint64_t piece[5];
};

HD void gpu_by_square(uint64_t bits, struct gpu_by_square *s)
{
    const unsigned shift = 2 * ((unsigned)(bits >> 52 & 0x7ff) - (1075 - 74));
    const uint64_t mantissa = bits ? (bits & 0xfffffffffffff) | 1ull << 52 : 0;
    const unsigned __int128 square = (unsigned __int128)mantissa * mantissa;
    const unsigned by = shift % GPU_BY_LIMB;
    const unsigned __int128 low = square << by;
    s->at = bits ? shift / GPU_BY_LIMB : 0;
    for (unsigned i = 0; i < 4; i++)
        s->piece[i] = (uint64_t)(low >> GPU_BY_LIMB * i) & UINT32_MAX;
    s->piece[4] = by ? (uint64_t)(square >> (128 - by)) : 0;
}

/* Orders the values of a dtype that are not odd, as keys of extrema.h do. */
HD uint64_t gpu_by_key(enum dtype dtype, uint64_t bits)
{
    int64_t key = (int64_t)bits;
    if (dtype_class(dtype) == 'u')
        return bits;
    if (dtype_is_float(dtype))
        key ^= key >> 63 & INT64_MAX;
    return key_of_signed(key);
}

/* The bits of the value that has a key, in its own width. */
HD uint64_t gpu_by_unkey(enum dtype dtype, uint64_t key)
{
    const unsigned size = dtype_size(dtype);
    int64_t value = (int64_t)(key ^ 1ull << 63);
    if (dtype_class(dtype) == 'u')
        return key;
    if (dtype_is_float(dtype))
        value ^= value >> 63 & INT64_MAX;
    if (dtype == DTYPE_f32) {
        const float x = (float)double_of_bits((uint64_t)value);
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        return bits;
    }
    return size == 8 ? (uint64_t)value
                     : (uint64_t)value & ((1ull << 8 * size) - 1);
}
