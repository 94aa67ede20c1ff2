/* SPDX-License-Identifier: MIT */
/* Bits of floats, and the two 16-bit float types decoded to f32. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "reduce/hd.h"

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

/* Exact for every input. The multiplication by 2^112 moves the exponent bias
 * from 15 to 127 and normalises subnormals on the way; Inf and NaN, whose
 * exponent it leaves at 143, are lifted by hand. No branch: it vectorises. */
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

/* value rounded to a float of `fraction` fraction bits and exponent bias
 * `bias`, ties to even, overflow to Inf; NaN gives the quiet NaN. */
HD uint16_t small_from_double(double value, int fraction, int bias)
{
    uint64_t bits = bits_of_double(value);
    uint32_t sign = (uint32_t)(bits >> 63) << 15;
    uint32_t inf = (uint32_t)(2 * bias + 1) << fraction;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t mantissa = (bits & 0xfffffffffffff) | 1ull << 52;
    int drop = 52 - fraction;
    uint32_t result;
    if (exponent == 1024)
        return (uint16_t)(sign | inf | ((bits << 12) ? 1u << (fraction - 1) : 0));
    if (exponent > bias)
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
    /* A carry out of the fraction is the next exponent, as it should be. */
    return (uint16_t)(sign | (result + ((uint32_t)(exponent + bias) << fraction)));
}
