/* SPDX-License-Identifier: MIT */
/* The layouts of the float types, for host, loops and kernels; access to their
 * bits, and conversions of the narrow ones. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "reduce/dtype.h"
#include "reduce/hd.h"

/* X(name, bits of the fraction, bits of the exponent, whether an exponent of
 * all ones means Inf and NaN). If it does not, there is no Inf, and NaN has all
 * ones in exponent and fraction. The fp8 types are those of OCP's 8-bit
 * floating point specification (OFP8). */
#define FLOATS(X)      \
    X(f16, 10, 5, 1)   \
    X(bf16, 7, 8, 1)   \
    X(f32, 23, 8, 1)   \
    X(f64, 52, 11, 1)  \
    X(f8e4m3, 3, 4, 0) \
    X(f8e5m2, 2, 5, 1)

/* Constants of each type, such as f32: FRACTION_f32, bits of the fraction;
 * BIAS_f32, of the exponent; LSB_f32, where 2^LSB_f32 is the least subnormal.
 */
enum {
#define FLOAT_ENUM(name, fraction, exponent, has_inf)            \
    FRACTION_##name = fraction, EXPONENT_BITS_##name = exponent, \
    BIAS_##name = (1 << (exponent - 1)) - 1,                     \
    LSB_##name = 1 - BIAS_##name - fraction,
    FLOATS(FLOAT_ENUM)
#undef FLOAT_ENUM
};

/* The bits of +Inf: greater magnitudes are NaN. */
#define INF_BITS(name) (((1ull << EXPONENT_BITS_##name) - 1) << FRACTION_##name)

/* The same for any dtype; 0 for integers. */
HD uint64_t inf_bits(enum dtype dtype)
{
#define INF_OF(name, ...)      \
    if (dtype == DTYPE_##name) \
        return INF_BITS(name);
    FLOATS(INF_OF)
#undef INF_OF
    return 0;
}

HD float float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

HD uint32_t bits_of_float(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

HD double double_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

HD uint64_t bits_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Exact for every input. The multiplication by 2^112 changes the bias of the
 * exponent from 15 to 127, and normalises subnormals. It leaves the exponent of
 * Inf and NaN at 143, so theirs is set separately. Without branches, so that it
 * vectorises. */
HD float f16_to_float(uint16_t h)
{
    uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13;
    uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t bits = bits_of_float(float_of_bits(magnitude) * 0x1p112f);
    bits |= magnitude >= 0x0f800000 ? 0x7f800000 : 0;
    return float_of_bits(bits | sign);
}

HD float bf16_to_float(uint16_t h)
{
    return float_of_bits((uint32_t)h << 16);
}

/* As f16_to_float: 2^120 changes the bias from 7 to 127, and NaN is set
 * separately. */
HD float f8e4m3_to_float(uint8_t b)
{
    uint32_t magnitude = (uint32_t)(b & 0x7f) << 20;
    uint32_t sign = (uint32_t)(b & 0x80) << 24;
    uint32_t bits = bits_of_float(float_of_bits(magnitude) * 0x1p120f);
    bits = magnitude == 0x7f00000 ? 0x7fc00000 : bits;
    return float_of_bits(bits | sign);
}

/* The upper half of an f16. */
HD float f8e5m2_to_float(uint8_t b)
{
    return f16_to_float((uint16_t)(b << 8));
}

/* A row of FLOATS. */
struct float_format {
    int fraction, exponent_bits;
    int has_inf;
};

/* Rounds a value to a float of up to 16 bits, ties to even. Overflow gives Inf,
 * or NaN if the type has no Inf. NaN gives the quiet NaN. */
HD uint16_t small_from_double(double value, struct float_format f)
{
    const int fraction = f.fraction, bias = (1 << (f.exponent_bits - 1)) - 1;
    const uint32_t ones = (1u << f.exponent_bits) - 1;
    const uint32_t inf = f.has_inf
                             ? ones << fraction
                             : (ones << fraction | ((1u << fraction) - 1));
    const uint32_t nan = f.has_inf ? inf | 1u << (fraction - 1) : inf;
    uint64_t bits = bits_of_double(value);
    uint32_t sign = (uint32_t)(bits >> 63) << (fraction + f.exponent_bits);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t mantissa = (bits & 0xfffffffffffff) | 1ull << 52;
    int drop = 52 - fraction;
    uint32_t result;
    if (exponent == 1024)
        return (uint16_t)(sign | ((bits << 12) ? nan : inf));
    if (exponent > bias + !f.has_inf)
        return (uint16_t)(sign | inf);
    if (exponent < 1 - bias) {
        drop += 1 - bias - exponent;
        exponent = -bias;
        if (drop > 54)
            return (uint16_t)sign;
    } else {
        mantissa -= 1ull << 52;
    }
    result = (uint32_t)(mantissa >> drop);
    {
        uint64_t rest = mantissa & ((1ull << drop) - 1);
        uint64_t half = 1ull << (drop - 1);
        result += rest > half || (rest == half && (result & 1));
    }
    /* A carry out of the fraction raises the exponent, which is right. */
    result += (uint32_t)(exponent + bias) << fraction;
    return (uint16_t)(sign | (result < inf ? result : inf));
}
