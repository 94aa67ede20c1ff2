/* SPDX-License-Identifier: MIT */
/*
 * Vectors of eight 64-bit lanes, as arrays of parts of AVX2 or of NEON: the
 * operations that batches need. Lanes are unsigned unless a name says f64. A
 * batch_mask is a truth value for each lane.
 */
#pragma once

#include "csv/number/number_part_avx2.h"
#include "csv/number/number_part_neon.h"

#ifdef HAVE_PARTS

typedef struct {
    batch_part part[BATCH_PARTS];
} batch_u64;

typedef struct {
    batch_real part[BATCH_PARTS];
} batch_f64;

/* Lanes of all ones or all zeros. */
typedef batch_u64 batch_mask;

/* Does `set` with each number i of a part. GCC keeps parts that a loop sets in
 * memory. */
#define BATCH_ONE(n, set) \
    {                     \
        enum { i = n };   \
        set;              \
    }
#if defined(__x86_64__)
#define BATCH_EACH(set) BATCH_ONE(0, set) BATCH_ONE(1, set)
#else
#define BATCH_EACH(set) \
    BATCH_ONE(0, set) BATCH_ONE(1, set) BATCH_ONE(2, set) BATCH_ONE(3, set)
#endif

/* Defines a function of one or two vectors, a and b, or of a vector and n. Each
 * part of the result is `value`, which computes it from part i of them. */
#define BATCH_UNARY(name, result, argument, value) \
    BATCH_INLINE result name(argument a)           \
    {                                              \
        result r;                                  \
        BATCH_EACH(r.part[i] = value)              \
        return r;                                  \
    }
#define BATCH_BINARY(name, result, argument, value)  \
    BATCH_INLINE result name(argument a, argument b) \
    {                                                \
        result r;                                    \
        BATCH_EACH(r.part[i] = value)                \
        return r;                                    \
    }
#define BATCH_SHIFT(name, value)                         \
    BATCH_INLINE batch_u64 name(batch_u64 a, unsigned n) \
    {                                                    \
        BATCH_EACH(a.part[i] = value)                    \
        return a;                                        \
    }

BATCH_UNARY(batch_set, batch_u64, uint64_t, (batch_part){} + a)
BATCH_UNARY(batch_set_f64, batch_f64, double, (batch_real){} + a)
BATCH_UNARY(batch_as_f64, batch_f64, batch_u64, (batch_real)a.part[i])
BATCH_UNARY(batch_as_u64, batch_u64, batch_f64, (batch_part)a.part[i])
BATCH_BINARY(batch_add, batch_u64, batch_u64, a.part[i] + b.part[i])
BATCH_BINARY(batch_sub, batch_u64, batch_u64, a.part[i] - b.part[i])
BATCH_BINARY(batch_and, batch_u64, batch_u64, a.part[i] & b.part[i])
BATCH_BINARY(batch_or, batch_u64, batch_u64, a.part[i] | b.part[i])
BATCH_BINARY(batch_right_by, batch_u64, batch_u64, a.part[i] >> b.part[i])
BATCH_BINARY(batch_left_by, batch_u64, batch_u64, a.part[i] << b.part[i])
BATCH_BINARY(batch_equal, batch_mask, batch_u64,
             (batch_part)(a.part[i] == b.part[i]))
/* a > b. */
BATCH_BINARY(batch_above, batch_mask, batch_u64,
             part_above(a.part[i], b.part[i]))
/* b where the mask a is set, else 0. */
BATCH_BINARY(batch_keep, batch_u64, batch_u64, a.part[i] & b.part[i])
/* The products of the low halves of lanes. */
BATCH_BINARY(batch_multiply32, batch_u64, batch_u64,
             part_multiply32(a.part[i], b.part[i]))
BATCH_SHIFT(batch_right, a.part[i] >> n)
BATCH_SHIFT(batch_left, a.part[i] << n)
BATCH_BINARY(batch_add_f64, batch_f64, batch_f64, a.part[i] + b.part[i])
BATCH_BINARY(batch_multiply_f64, batch_f64, batch_f64, a.part[i] * b.part[i])
BATCH_BINARY(batch_divide_f64, batch_f64, batch_f64, a.part[i] / b.part[i])
/* a != b, or one of them is NaN. */
BATCH_BINARY(batch_differ_f64, batch_mask, batch_f64,
             (batch_part)(a.part[i] != b.part[i]))
/* a < b. */
BATCH_BINARY(batch_less_f64, batch_mask, batch_f64,
             (batch_part)(a.part[i] < b.part[i]))

/* One bit per lane. */
BATCH_INLINE unsigned batch_bits(batch_mask m)
{
    return part_bits(m.part);
}

/* The inverse of batch_bits. */
BATCH_INLINE batch_mask batch_mask_of(unsigned bits)
{
    const batch_part first = {PART_BITS}, all = (batch_part){} + bits;
    batch_mask m;
    for (int i = 0; i < BATCH_PARTS; i++) {
        const batch_part each = first << (i * PART_LANES);
        m.part[i] = (batch_part)((all & each) == each);
    }
    return m;
}

BATCH_INLINE batch_u64 batch_select(batch_mask m, batch_u64 yes, batch_u64 no)
{
    BATCH_EACH(m.part[i] = part_select(m.part[i], yes.part[i], no.part[i]))
    return m;
}

/* Not valid for lanes that are 0. */
BATCH_INLINE batch_u64 batch_leading_zeros(batch_u64 x)
{
    uint64_t n[BATCH];
    memcpy(n, &x, sizeof n);
    for (int i = 0; i < BATCH; i++)
        n[i] = (uint64_t)__builtin_clzll(n[i] | 1);
    memcpy(&x, n, sizeof x);
    return x;
}

/* Loads 64 bits from each of eight addresses. */
BATCH_INLINE batch_u64 batch_load(const void *const *at)
{
    batch_u64 x;
    BATCH_EACH(x.part[i] = part_load(at + i * PART_LANES))
    return x;
}

/* table[k]. */
BATCH_INLINE batch_u64 batch_gather(const uint64_t *table, batch_u64 k)
{
    BATCH_EACH(k.part[i] = part_gather(table, k.part[i]))
    return k;
}

/* w = x + *rest, where x is the double nearest to w. */
BATCH_INLINE batch_f64 batch_split(batch_u64 w, batch_f64 *rest)
{
    batch_f64 x;
    BATCH_EACH(x.part[i] = part_split(w.part[i], &rest->part[i]))
    return x;
}

/* The double nearest to w. */
BATCH_INLINE batch_f64 batch_double(batch_u64 w)
{
    batch_f64 unused;
    return batch_split(w, &unused);
}

/* a - q * b, rounded once. */
BATCH_INLINE batch_f64 batch_remainder_f64(batch_f64 q, batch_f64 b,
                                           batch_f64 a)
{
    BATCH_EACH(a.part[i] = part_remainder(q.part[i], b.part[i], a.part[i]))
    return a;
}

/* 10 to the power e modulo width, which is 8, 16 or 32. Above 10^22, the last
 * power that is a double, the result is not valid. The products are exact. */
BATCH_INLINE batch_f64 batch_tens(batch_u64 e, unsigned width)
{
    batch_f64 tens;
    for (int i = 0; i < BATCH_PARTS; i++) {
        tens.part[i] = part_tens(e.part[i]);
        if (width >= 16)
            tens.part[i] = part_times(tens.part[i], e.part[i], 3, 1e8);
        if (width == 32)
            tens.part[i] = part_times(tens.part[i], e.part[i], 4, 1e16);
    }
    return tens;
}

BATCH_INLINE void batch_store_8(batch_u64 x, uint64_t *to)
{
    memcpy(to, &x, sizeof x);
}

/* Stores the low 32 bits of each lane. */
BATCH_INLINE void batch_store_4(batch_u64 x, uint32_t *to)
{
    for (int i = 0; i < BATCH_PARTS; i += 2)
        part_store_4(x.part[i], x.part[i + 1], to + i * PART_LANES);
}

/* Defines batch_store_2 and batch_store_1, which store the low 16 and 8 bits.
 */
#define BATCH_STORE(name, T)                   \
    BATCH_INLINE void name(batch_u64 x, T *to) \
    {                                          \
        uint64_t lane[BATCH];                  \
        batch_store_8(x, lane);                \
        for (int i = 0; i < BATCH; i++)        \
            to[i] = (T)lane[i];                \
    }
BATCH_STORE(batch_store_2, uint16_t)
BATCH_STORE(batch_store_1, uint8_t)

BATCH_INLINE void batch_store_f32(batch_f64 x, float *to)
{
    for (int i = 0; i < BATCH_PARTS; i += 2)
        part_store_f32(x.part[i], x.part[i + 1], to + i * PART_LANES);
}

/* Moves the lanes whose bit is set to the front. */
BATCH_INLINE batch_u64 batch_pack(unsigned bits, batch_u64 x)
{
    uint64_t lane[BATCH], front[BATCH];
    unsigned n = 0;
    batch_store_8(x, lane);
    for (unsigned i = 0; i < BATCH; i++) {
        front[n] = lane[i];
        n += bits >> i & 1;
    }
    memcpy(&x, front, sizeof x);
    return x;
}

/* Stores first, first + 1, ... first + 7. */
BATCH_INLINE void batch_store_rows(uint32_t *to, uint32_t first)
{
    typedef uint32_t batch_rows __attribute__((vector_size(PART_BYTES)));
    enum { ROWS = PART_BYTES / 4 };
    const batch_rows each = {PART_ROWS};
    for (uint32_t i = 0; i < BATCH; i += ROWS) {
        batch_rows rows = each + (first + i);
        memcpy(to + i, &rows, sizeof rows);
    }
}

/* Stores of the same rows only those whose bit is set. Overwrites to[0] to
 * to[BATCH - 1]. */
BATCH_INLINE void batch_store_some_rows(uint32_t *to, uint32_t first,
                                        unsigned bits)
{
    unsigned n = 0;
    for (unsigned i = 0; i < BATCH; i++) {
        to[n] = first + i;
        n += bits >> i & 1;
    }
}

/* Returns from `points` of struct batch_runs the number of digits after the
 * point, modulo the width in bytes: higher bits are not valid. 0 where there is
 * no point. */
BATCH_INLINE batch_u64 batch_fraction(batch_u64 points)
{
    return batch_sub(batch_set(0), points);
}

#endif
