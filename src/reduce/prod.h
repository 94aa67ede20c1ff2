/* SPDX-License-Identifier: MIT */
/*
 * The product. That of floats is not exact but reproducible. Mantissa and
 * exponent are kept apart, so no partial product overflows or underflows. The
 * mantissas are multiplied in a tree that depends only on the element indexes,
 * so CPU and GPU, any chunks and any threads give the same bits:
 *
 *   group  256 elements: lane j of 32 multiplies elements j, j + 32, ... in
 *          order, then lane j takes lane j + 16, + 8, + 4, + 2, + 1
 *   leaf   32 groups (8192 elements), a balanced binary tree of neighbours
 *   above  a binary tree over all leaves by index; a missing right half is 1
 *
 * Elements missing at the end count as 1, which changes no bit.
 *
 * The product of integers is exact up to 128 bits. Beyond, only "too large" is
 * known, unless a factor is zero.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/float_format.h"
#include "reduce/hd.h"

enum {
    PROD_LANES = 32,
    PROD_ROWS = 8,
    PROD_GROUP = PROD_LANES * PROD_ROWS,
    PROD_LEAF_GROUPS = 32,
    PROD_LEAF = PROD_GROUP * PROD_LEAF_GROUPS,
    /* Leaves of 2^13 elements: 51 levels reach 2^64, on both edges. */
    PROD_NODES = 2 * 51,
};

/* mantissa * 2^exponent, 1 <= |mantissa| < 2. */
struct prod_node {
    double mantissa;
    int64_t exponent;
};

HD struct prod_node prod_normal(double mantissa, int64_t exponent)
{
    /* Callers pass 1 <= |mantissa| < 2^256, which is a normal number. */
    uint64_t bits = bits_of_double(mantissa);
    struct prod_node node;
    node.exponent = exponent + (int64_t)(bits >> 52 & 0x7ff) - 1023;
    node.mantissa = double_of_bits((bits & 0x800fffffffffffff) | 1023ull << 52);
    return node;
}

HD struct prod_node prod_times(struct prod_node a, struct prod_node b)
{
    return prod_normal(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

/* The kind of an element. Zero, Inf and NaN get the mantissa 1 with the
 * element's sign (NaN: without), and the caller counts them. */
enum prod_special { PROD_NUMBER, PROD_ZERO, PROD_INF, PROD_NAN };

HD enum prod_special prod_split(double x, double *mantissa, int *exponent)
{
    uint64_t bits = bits_of_double(x);
    int e = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & 0xfffffffffffff;
    uint64_t sign = bits & 1ull << 63;
    enum prod_special special = PROD_NUMBER;
    if (e == 0x7ff || (e == 0 && fraction == 0)) {
        special = e == 0 ? PROD_ZERO : fraction ? PROD_NAN : PROD_INF;
        sign = special == PROD_NAN ? 0 : sign; /* --nan skip drops NaN */
        fraction = 0;
        e = 1023;
    } else if (e == 0) {
        for (e = 1; !(fraction >> 52); e--)
            fraction <<= 1;
        fraction &= 0xfffffffffffff;
    }
    *mantissa = double_of_bits(sign | 1023ull << 52 | fraction);
    *exponent = e - 1023;
    return special;
}

/* A product of integers: its magnitude of up to 128 bits. too_large stays set.
 */
struct prod_integer {
    uint64_t low, high;
    bool negative, zero, too_large;
};

HD void prod_integer_one(struct prod_integer *p)
{
    p->low = 1;
    p->high = 0;
    p->negative = p->zero = p->too_large = false;
}

HD void prod_integer_times(struct prod_integer *p, uint64_t low, uint64_t high)
{
    unsigned __int128 a, b;
    if (p->too_large || (p->high && high)) {
        p->too_large = true;
        return;
    }
    a = (unsigned __int128)p->low * low;
    b = (unsigned __int128)p->low * high + (unsigned __int128)p->high * low;
    /* b cannot wrap, since one of its two terms is 0. */
    b += (uint64_t)(a >> 64);
    p->too_large = (uint64_t)(b >> 64) != 0;
    p->low = (uint64_t)a;
    p->high = (uint64_t)b;
}

HD void prod_integer_merge(struct prod_integer *p, const struct prod_integer *q)
{
    p->negative ^= q->negative;
    p->zero |= q->zero;
    if (q->too_large)
        p->too_large = true;
    else
        prod_integer_times(p, q->low, q->high);
}

/* A zero factor sets `zero` and leaves the magnitude as it is. */
HD void prod_integer_step(struct prod_integer *p, bool negative,
                          uint64_t magnitude)
{
    p->negative ^= negative;
    if (magnitude == 0)
        p->zero = true;
    else if (magnitude > 1)
        prod_integer_times(p, magnitude, 0);
}

struct prod {
    uint64_t zeros, infs, nans; /* counts, of floats */
    /* Of floats: the complete subtrees of leaves [begin, end), in order. */
    uint64_t begin, end;
    unsigned nodes;
    uint8_t level[PROD_NODES];
    struct prod_node node[PROD_NODES];
    struct prod_integer integer; /* of integers */
};

void prod_init(struct prod *p);

/* Appends the product of leaves [p->end, p->end + 2^level). If p is empty, the
 * leaves start at `begin`. */
void prod_push(struct prod *p, uint64_t begin, struct prod_node node,
               unsigned level);

/* into *= from. `from` must follow `into` without a gap, or one must be empty.
 */
void prod_merge(struct prod *into, const struct prod *from);

/* Whether the nodes are complete subtrees, as prod_push makes them. Then
 * merging what follows needs no more than PROD_NODES nodes, and exponents fit
 * 64 bits, for data of up to 2^52 elements. */
bool prod_is_sound(const struct prod *p);

/* The whole product of floats, without zeros, Inf and NaN. */
struct prod_node prod_value(const struct prod *p);
