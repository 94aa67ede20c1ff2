/* SPDX-License-Identifier: MIT */
#include "reduce/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/element.h"
#include "reduce/float_format.h"

#define KEYS_FLOAT(dtype, U)                                                \
    static void keys_##dtype(uint64_t *key, const void *from, size_t n)     \
    {                                                                       \
        const U inf = (U)INF_BITS(dtype), sign = (U) ~((U)-1 >> 1);         \
        for (size_t i = 0; i < n; i++) {                                    \
            U x = ELEMENT_AT(U, from, i);                                   \
            const U magnitude = x & (U)~sign;                               \
            x = magnitude == 0 ? 0 : x;                                     \
            key[i] = magnitude > inf ? (U)(inf | (U)(inf & -inf) >> 1) : x; \
        }                                                                   \
    }

#define KEYS_INTEGER(dtype, U)                                          \
    static void keys_##dtype(uint64_t *key, const void *from, size_t n) \
    {                                                                   \
        for (size_t i = 0; i < n; i++)                                  \
            key[i] = ELEMENT_AT(U, from, i);                            \
    }

KEYS_FLOAT(f16, uint16_t)
KEYS_FLOAT(bf16, uint16_t)
KEYS_FLOAT(f32, uint32_t)
KEYS_FLOAT(f64, uint64_t)
KEYS_INTEGER(u8, uint8_t)
KEYS_INTEGER(u16, uint16_t)
KEYS_INTEGER(u32, uint32_t)
KEYS_INTEGER(u64, uint64_t)
#define keys_i8 keys_u8
#define keys_i16 keys_u16
#define keys_i32 keys_u32
#define keys_i64 keys_u64

/* The keys of a stored type are those of the type that it is widened to. */
#define KEYS_STORED(dtype)                                              \
    static void keys_##dtype(uint64_t *key, const void *from, size_t n) \
    {                                                                   \
        float wide[KEYS_BLOCK];                                         \
        dtype_info(DTYPE_##dtype)->widen(wide, from, n);                \
        keys_f32(key, wide, n);                                         \
    }

KEYS_STORED(f8e4m3)
KEYS_STORED(f8e5m2)

/* Makes the keys of up to KEYS_BLOCK elements. */
static void (*const keys_of[DTYPES_ALL_END])(uint64_t *key, const void *from,
                                             size_t n) = {
#define ROW(name, long_name, class, storage) [DTYPE_##name] = keys_##name,
    DTYPES(ROW) STORED_DTYPES(ROW)
#undef ROW
};

uint64_t keys_nan(enum dtype dtype)
{
    const uint64_t bits = dtype_is_float(dtype) ? UINT64_MAX >> 1 : 0;
    uint64_t key = 0;
    if (bits)
        keys_of[dtype](&key, (const char *)&bits + 8 - dtype_size(dtype), 1);
    return key;
}

bool keys_has(enum dtype dtype, uint64_t key)
{
    uint64_t own;
    keys_of[dtype](&own, &key, 1);
    return own == key;
}

/* Counts elements of 8 or 16 bits. Neighbours use different counters, so that
 * equal neighbours do not wait for each other. */
#define COUNT_NARROW(U, bits)                                             \
    static void count_##bits(uint32_t *times, const void *from, size_t n) \
    {                                                                     \
        uint32_t *const odd = times + (1u << bits);                       \
        size_t i = 0;                                                     \
        for (; i + 1 < n; i += 2) {                                       \
            times[ELEMENT_AT(U, from, i)]++;                              \
            odd[ELEMENT_AT(U, from, i + 1)]++;                            \
        }                                                                 \
        if (i < n)                                                        \
            times[ELEMENT_AT(U, from, i)]++;                              \
        for (i = 0; i < 1u << bits; i++)                                  \
            times[i] += odd[i];                                           \
    }

COUNT_NARROW(uint8_t, 8)
COUNT_NARROW(uint16_t, 16)

/* Calls `take` with each different element of a narrow type. */
static void give_counted(enum dtype dtype, const uint32_t *times,
                         unsigned values, keys_fn *take, void *to)
{
    const unsigned size = dtype_size(dtype);
    char element[KEYS_BLOCK * sizeof(uint16_t)];
    uint64_t key[KEYS_BLOCK], count[KEYS_BLOCK];
    size_t n = 0;
    for (unsigned x = 0; x < values; x++) {
        if (times[x] > 0) {
            memcpy(element + n * size, &x, size);
            count[n++] = times[x];
        }
        if (n == KEYS_BLOCK || (n > 0 && x + 1 == values)) {
            keys_of[dtype](key, element, n);
            take(to, key, count, n);
            n = 0;
        }
    }
}

/* False if counting does not pay, or memory ran out. */
static bool give_narrow(const struct column *c, keys_fn *take, void *to)
{
    const unsigned size = dtype_size(c->dtype);
    const unsigned values = 1u << 8 * (size < 2 ? size : 2);
    if (size > 2 || c->n < values / 2)
        return false;
    uint32_t *times = calloc(2 * (size_t)values, sizeof *times);
    if (!times)
        return false;
    (size == 1 ? count_8 : count_16)(times, c->values, c->n);
    give_counted(c->dtype, times, values, take, to);
    free(times);
    return true;
}

void keys_of_column(const struct column *c, keys_fn *take, void *to)
{
    const size_t size = dtype_size(c->dtype);
    uint64_t key[KEYS_BLOCK];
    if (give_narrow(c, take, to))
        return;
    for (size_t i = 0; i < c->n; i += KEYS_BLOCK) {
        const size_t n = c->n - i < KEYS_BLOCK ? c->n - i : KEYS_BLOCK;
        keys_of[c->dtype](key, (const char *)c->values + i * size, n);
        take(to, key, NULL, n);
    }
}

bool keys_of_wide(struct wide_integer x, uint64_t *key)
{
    const double value = (double)x.magnitude;
    *key = bits_of_double(x.negative ? -value : value);
    return value < 0x1p64 && (uint64_t)value == x.magnitude;
}
