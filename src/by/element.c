/* SPDX-License-Identifier: MIT */
#include "by/element.h"

#include <endian.h>
#include <string.h>

#include "reduce/float_format.h"
#include "reduce/state.h"

static const uint64_t negative = (uint64_t)1 << 63;

static uint64_t key_of_real(double x)
{
    const uint64_t bits = bits_of_double(x == 0 ? 0 : x);
    if (x != x)
        return UINT64_MAX;
    return bits & negative ? ~bits : bits | negative;
}

static uint64_t key_of(enum dtype dtype, uint64_t bits)
{
    const unsigned shift = 64 - 8 * dtype_info(dtype)->size;
    if (dtype_is_float(dtype))
        return key_of_real(dtype_to_double(dtype, bits));
    if (!dtype_is_signed(dtype))
        return bits;
    return (uint64_t)((int64_t)(bits << shift) >> shift) ^ negative;
}

void element_keys(uint64_t *key, enum dtype dtype, const void *from, size_t n)
{
    const size_t size = dtype_info(dtype)->size;
    const char *at = from;
    for (size_t i = 0; i < n; i++)
        key[i] = htobe64(key_of(dtype, dtype_load(dtype, at + i * size)));
}

static uint64_t load_key(struct text_cell key)
{
    uint64_t word;
    memcpy(&word, key.at, sizeof word);
    return be64toh(word);
}

/* The number that has the key. */
static double real_of_key(uint64_t key)
{
    return double_of_bits(key & negative ? key ^ negative : ~key);
}

bool element_has_key(enum dtype dtype, struct text_cell key)
{
    const unsigned unused = 64 - 8 * dtype_info(dtype)->size;
    const uint64_t word = load_key(key);
    const uint64_t bits = dtype_is_float(dtype)
                              ? dtype_from_double(dtype, real_of_key(word))
                          : dtype_is_signed(dtype) ? word ^ negative
                                                   : word;
    return key_of(dtype, bits << unused >> unused) == word;
}

struct value element_value(enum dtype dtype, struct text_cell key)
{
    uint64_t word = load_key(key);
    if (dtype_is_float(dtype))
        return value_real(real_of_key(word), dtype_info(dtype)->computed);
    if (!dtype_is_signed(dtype))
        return value_unsigned(word);
    word ^= negative;
    return value_integer(word & negative, word & negative ? -word : word, 0);
}
