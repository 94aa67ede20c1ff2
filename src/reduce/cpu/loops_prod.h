/* SPDX-License-Identifier: MIT */
/* Products, in the order that prod.h fixes. */
#pragma once

#include "reduce/cpu/vector.h"

/* Splits a group into mantissas and exponents. Counts 0, Inf and NaN, and
 * replaces them by 1. Inlined, it would take 3 % more instructions. */
static __attribute__((noinline)) void
group_split(struct prod *p, const double *x, double *mantissa, int *exponent)
{
    const uint64_t fraction = 0x800fffffffffffff, one = 1023ull << 52;
    bool special = false;
    for (int i = 0; i < PROD_GROUP; i++) {
        uint64_t bits = bits_of_double(x[i]);
        int e = (int)(bits >> 52) & 0x7ff;
        special |= e == 0 || e == 0x7ff;
        exponent[i] = e - 1023;
        mantissa[i] = double_of_bits((bits & fraction) | one);
    }
    for (int i = 0; special && i < PROD_GROUP; i++) {
        enum prod_special kind = prod_split(x[i], &mantissa[i], &exponent[i]);
        p->zeros += kind == PROD_ZERO;
        p->infs += kind == PROD_INF;
        p->nans += kind == PROD_NAN;
    }
}

static struct prod_node group_product(double *mantissa, const int *exponent)
{
    int64_t sum = 0;
    for (int i = 0; i < PROD_GROUP; i++)
        sum += exponent[i];
    for (int row = 1; row < PROD_ROWS; row++) {
        for (int j = 0; j < PROD_LANES; j++)
            mantissa[j] *= mantissa[row * PROD_LANES + j];
    }
    for (int s = PROD_LANES / 2; s > 0; s /= 2) {
        for (int j = 0; j < s; j++)
            mantissa[j] *= mantissa[j + s];
    }
    return prod_normal(mantissa[0], sum);
}

/* Sets x[n] to the elements at p, n <= PROD_GROUP. */
static void prod_load(double *x, const char *p, size_t n, enum dtype dtype)
{
    float narrow[PROD_GROUP];
    if (dtype == DTYPE_f64)
        memcpy(x, p, n * sizeof *x);
    else if (dtype == DTYPE_f16)
        decode_f16(narrow, p, n);
    else if (dtype == DTYPE_bf16)
        decode_bf16(narrow, p, n);
    const void *from = dtype == DTYPE_f32 ? (const void *)p : narrow;
    for (size_t i = 0; dtype != DTYPE_f64 && i < n; i++)
        x[i] = (double)ELEMENT_AT(float, from, i);
}

/* n <= PROD_LEAF elements. */
static struct prod_node leaf_product(struct prod *p, const char *data, size_t n,
                                     enum dtype dtype)
{
    struct prod_node node[PROD_LEAF_GROUPS];
    const size_t size = dtype_size(dtype);
    for (size_t g = 0; g < PROD_LEAF_GROUPS; g++) {
        double x[PROD_GROUP], mantissa[PROD_GROUP];
        int exponent[PROD_GROUP];
        size_t at = g * PROD_GROUP;
        size_t left = at < n ? n - at : 0;
        size_t take = left < PROD_GROUP ? left : PROD_GROUP;
        node[g] = (struct prod_node){1.0, 0};
        if (take == 0)
            continue;
        prod_load(x, data + at * size, take, dtype);
        for (size_t i = take; i < PROD_GROUP; i++)
            x[i] = 1.0;
        group_split(p, x, mantissa, exponent);
        node[g] = group_product(mantissa, exponent);
    }
    for (int width = PROD_LEAF_GROUPS; width > 1; width /= 2) {
        for (int i = 0; i < width / 2; i++)
            node[i] = prod_times(node[2 * i], node[2 * i + 1]);
    }
    return node[0];
}

static void prod_floats(struct accumulator *w, const void *data, size_t n,
                        uint64_t first)
{
    struct prod *p = &w->state->prod;
    for (size_t i = 0; i < n; i += PROD_LEAF) {
        const size_t step = n - i < PROD_LEAF ? n - i : PROD_LEAF;
        const char *at = (const char *)data + i * dtype_size(w->dtype);
        prod_push(p, (first + i) / PROD_LEAF,
                  leaf_product(p, at, step, w->dtype), 0);
    }
}

#define prod_f16 prod_floats
#define prod_bf16 prod_floats
#define prod_f32 prod_floats
#define prod_f64 prod_floats

#define PROD_INTEGER(dtype, storage, NEGATIVE)                           \
    static void prod_##dtype(struct accumulator *w, const void *data,    \
                             size_t n, uint64_t first)                   \
    {                                                                    \
        struct prod_integer *p = &w->state->prod.integer;                \
        (void)first;                                                     \
        for (size_t i = 0; i < n && !p->zero; i++) {                     \
            const storage v = ELEMENT_AT(storage, data, i);              \
            bool negative = NEGATIVE(v);                                 \
            prod_integer_step(p, negative,                               \
                              negative ? 0 - (uint64_t)v : (uint64_t)v); \
        }                                                                \
    }

#define BELOW_ZERO(v) ((v) < 0)

PROD_INTEGER(i8, int8_t, BELOW_ZERO)
PROD_INTEGER(i16, int16_t, BELOW_ZERO)
PROD_INTEGER(i32, int32_t, BELOW_ZERO)
PROD_INTEGER(i64, int64_t, BELOW_ZERO)
PROD_INTEGER(u8, uint8_t, NEVER)
PROD_INTEGER(u16, uint16_t, NEVER)
PROD_INTEGER(u32, uint32_t, NEVER)
PROD_INTEGER(u64, uint64_t, NEVER)
