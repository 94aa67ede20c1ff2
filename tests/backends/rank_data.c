/* SPDX-License-Identifier: MIT */
#include "rank_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *rank_kind_name(enum rank_kind kind)
{
    static const char *const names[RANK_KINDS] = {
        "any bits",   "uniform", "constant",   "two values",
        "few values", "sorted",  "a third NaN"};
    return names[kind];
}

bool rank_is_nan(enum dtype dtype, uint64_t bits)
{
    return dtype_is_float(dtype) && isnan(dtype_to_double(dtype, bits));
}

/* One in eight floats is a special value. */
static uint64_t any_bits(struct random *r, enum dtype dtype)
{
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY,
                                     NAN, 1.0,  -1.0,     0x1p-20};
    const uint64_t bits = random_next(r);
    if (!dtype_is_float(dtype) || bits % 8 > 0)
        return bits;
    return dtype_from_double(dtype, special[bits / 8 % 8]);
}

static uint64_t draw(struct random *r, enum dtype dtype, enum rank_kind kind,
                     const uint64_t *few)
{
    const bool is_float = dtype_is_float(dtype);
    switch (kind) {
    case RANK_CONSTANT:
        return few[0];
    case RANK_TWO:
        return few[random_next(r) % 2];
    case RANK_FEW:
        return few[random_below(r, 100)];
    case RANK_UNIFORM:
    case RANK_SORTED:
        return is_float ? dtype_from_double(dtype, random_unit(r))
                        : random_next(r);
    case RANK_NAN:
        if (is_float && random_next(r) % 3 == 0)
            return dtype_from_double(dtype, NAN) |
                   random_next(r) % 2 << (8 * dtype_size(dtype) - 1);
        return any_bits(r, dtype);
    case RANK_BITS:
    case RANK_KINDS:
        break;
    }
    return any_bits(r, dtype);
}

void rank_draw(struct random *r, enum dtype dtype, enum rank_kind kind,
               void *to, size_t n)
{
    const size_t size = dtype_size(dtype);
    uint64_t few[100];
    for (int i = 0; i < 100; i++)
        few[i] = any_bits(r, dtype);
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = draw(r, dtype, kind, few);
        memcpy((char *)to + i * size, &bits, size);
    }
    if (kind == RANK_SORTED)
        rank_sort(dtype, to, n);
}

/* A float and its bits: converted once, since a sort compares it often. */
struct number {
    double value;
    uint64_t bits;
};

/* -0 before 0, NaN last. */
static int by_number(const void *a, const void *b)
{
    const double x = ((const struct number *)a)->value,
                 y = ((const struct number *)b)->value;
    if (isnan(x) || isnan(y))
        return (isnan(x) != 0) - (isnan(y) != 0);
    if (x == y)
        return (signbit(y) != 0) - (signbit(x) != 0);
    return x < y ? -1 : 1;
}

static void sort_floats(enum dtype dtype, char *elements, size_t n)
{
    const size_t size = dtype_size(dtype);
    struct number *number = malloc((n + 1) * sizeof *number);
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits = dtype_load(dtype, elements + i * size);
        number[i] = (struct number){dtype_to_double(dtype, bits), bits};
    }
    qsort(number, n, sizeof *number, by_number);
    for (size_t i = 0; i < n; i++)
        memcpy(elements + i * size, &number[i].bits, size);
    free(number);
}

#define COMPARE_INTEGER(dtype, T)                       \
    static int by_##dtype(const void *a, const void *b) \
    {                                                   \
        T x, y;                                         \
        memcpy(&x, a, sizeof x);                        \
        memcpy(&y, b, sizeof y);                        \
        return (x > y) - (x < y);                       \
    }
COMPARE_INTEGER(i8, int8_t)
COMPARE_INTEGER(i16, int16_t)
COMPARE_INTEGER(i32, int32_t)
COMPARE_INTEGER(i64, int64_t)
COMPARE_INTEGER(u8, uint8_t)
COMPARE_INTEGER(u16, uint16_t)
COMPARE_INTEGER(u32, uint32_t)
COMPARE_INTEGER(u64, uint64_t)

void rank_sort(enum dtype dtype, void *elements, size_t n)
{
    static int (*const compare[DTYPES_END])(const void *, const void *) = {
        [DTYPE_i8] = by_i8,   [DTYPE_i16] = by_i16, [DTYPE_i32] = by_i32,
        [DTYPE_i64] = by_i64, [DTYPE_u8] = by_u8,   [DTYPE_u16] = by_u16,
        [DTYPE_u32] = by_u32, [DTYPE_u64] = by_u64};
    if (compare[dtype])
        qsort(elements, n, dtype_size(dtype), compare[dtype]);
    else
        sort_floats(dtype, elements, n);
}
