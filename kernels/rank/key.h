/* SPDX-License-Identifier: MIT */
/*
 * Keys of elements: unsigned integers of the element's width that order as the
 * values do, -0 right before 0. Seen from the least number, as a distance that
 * wraps around, NaN comes after all numbers.
 */
#pragma once

#include "reduce/dtype.h"
#include "reduce/float_format.h"

/* Of floats: a negative one has all bits inverted, another the sign alone. */
#define KEY_OF_WIDTH(bits)                                                  \
    HD uint##bits##_t key_float_##bits(uint##bits##_t x)                    \
    {                                                                       \
        const uint##bits##_t sign = (uint##bits##_t)1 << (bits - 1);        \
        return (uint##bits##_t)(                                            \
            x ^ ((uint##bits##_t)((int##bits##_t)x >> (bits - 1)) | sign)); \
    }                                                                       \
    HD uint##bits##_t key_undo_float_##bits(uint##bits##_t key)             \
    {                                                                       \
        const uint##bits##_t sign = (uint##bits##_t)1 << (bits - 1);        \
        return (uint##bits##_t)(key & sign ? key ^ sign                     \
                                           : ~(unsigned long long)key);     \
    }

KEY_OF_WIDTH(16)
KEY_OF_WIDTH(32)
KEY_OF_WIDTH(64)
#undef KEY_OF_WIDTH

/* How the keys of a dtype are made: a float's as above, of integers the bits
 * with `flip` inverted. Numbers have the keys from `least` to least + span. */
struct key_order {
    unsigned bits;
    bool is_float;
    uint64_t flip, least, span;
};

/* Of a dtype that is computed with. */
HD struct key_order key_order(enum dtype dtype)
{
    struct key_order o;
    const char c = dtype_class(dtype);
    o.bits = 8 * dtype_size(dtype);
    const uint64_t sign = 1ull << (o.bits - 1);
    o.is_float = c == 'f' || c == '-';
    o.flip = c == 'i' ? sign : 0;
    o.least = o.is_float ? sign - 1 - inf_bits(dtype) : 0;
    o.span = o.is_float ? 2 * inf_bits(dtype) + 1 : 2 * sign - 1;
    return o;
}

/* An element's raw bits as a key, and back. */
HD uint64_t key_of(const struct key_order *o, uint64_t x)
{
    if (!o->is_float)
        return x ^ o->flip;
    return o->bits == 64   ? key_float_64(x)
           : o->bits == 32 ? key_float_32((uint32_t)x)
                           : key_float_16((uint16_t)x);
}

HD uint64_t key_undo(const struct key_order *o, uint64_t key)
{
    if (!o->is_float)
        return key ^ o->flip;
    return o->bits == 64   ? key_undo_float_64(key)
           : o->bits == 32 ? key_undo_float_32((uint32_t)key)
                           : key_undo_float_16((uint16_t)key);
}
