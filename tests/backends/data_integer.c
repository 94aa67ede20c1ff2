/* SPDX-License-Identifier: MIT */
/* Integers: the ends of the range, and products around 2^128. Bits beyond the
 * type's size are cut. */
#include "data.h"

static uint64_t any(struct maker *m, uint64_t n)
{
    return random_below(&m->random, n);
}

static uint64_t least(struct maker *m)
{
    return dtype_is_signed(m->dtype) ? m->sign : 0;
}

static uint64_t greatest(struct maker *m)
{
    return least(m) - 1;
}

static uint64_t random_bits(struct maker *m)
{
    return random_next(&m->random);
}

static uint64_t zero(struct maker *m)
{
    (void)m;
    return 0;
}

static uint64_t one(struct maker *m)
{
    (void)m;
    return 1;
}

static uint64_t minus_one(struct maker *m)
{
    (void)m;
    return UINT64_MAX;
}

static uint64_t signed_one(struct maker *m)
{
    return any(m, 2) && dtype_is_signed(m->dtype) ? UINT64_MAX : 1;
}

static uint64_t small(struct maker *m)
{
    return any(m, 7) - (dtype_is_signed(m->dtype) ? 3 : 0);
}

static uint64_t constant(struct maker *m)
{
    return m->keep;
}

static uint64_t wrapping(struct maker *m)
{
    return m->keep + m->i;
}

/* Goes from the least to the greatest. */
static uint64_t ascending(struct maker *m)
{
    uint64_t span = m->sign | (m->sign - 1);
    return least(m) + (uint64_t)((unsigned __int128)span * m->i / m->n);
}

static uint64_t descending(struct maker *m)
{
    return ~ascending(m);
}

static uint64_t ties(struct maker *m)
{
    uint64_t values[] = {least(m),        greatest(m), least(m) + 1,
                         greatest(m) - 1, 1,           0};
    return values[any(m, m->keep % 5 + 2)];
}

static uint64_t one_extreme(struct maker *m)
{
    if (m->i != m->keep % m->n)
        return small(m);
    return m->keep >> 63 ? least(m) : greatest(m);
}

/* Magnitudes near the greatest, with both signs. */
static uint64_t large(struct maker *m)
{
    uint64_t r = any(m, 4);
    return any(m, 2) ? least(m) + r : greatest(m) - r;
}

static uint64_t rare_nonzero(struct maker *m)
{
    return any(m, 300) == 0 ? random_bits(m) : 0;
}

/* Ones, with `count` twos evenly among them. */
static uint64_t twos(struct maker *m)
{
    uint64_t count = 126 + m->keep % 4;
    bool is = m->i * count / m->n != (m->i + 1) * count / m->n;
    return (is ? 2 : 1) * signed_one(m);
}

/* Ones, with a few odd numbers among them, so that the product has about 128
 * bits, or fewer if there are few elements. */
static uint64_t factors(struct maker *m)
{
    uint64_t width = m->sign < 1ull << 31 ? 6 : 30;
    uint64_t r = random_next(&m->random);
    if (any(m, m->n) >= 128 / width)
        return signed_one(m);
    return ((r & ((1ull << width) - 1)) | 1) * signed_one(m);
}

/* A product that is too large stays so, unless a 0 follows. */
static uint64_t large_and_zero(struct maker *m)
{
    return m->i == m->keep % m->n ? 0 : random_bits(m) | 1;
}

static uint64_t power_of_two(struct maker *m)
{
    return (1ull << any(m, 64)) * signed_one(m);
}

const struct data_class data_integer_classes[] = {
    {"random bits", random_bits},
    {"least", least},
    {"greatest", greatest},
    {"zero", zero},
    {"one", one},
    {"minus one", minus_one},
    {"signed one", signed_one},
    {"small", small},
    {"constant", constant},
    {"wrapping", wrapping},
    {"ascending", ascending},
    {"descending", descending},
    {"ties", ties},
    {"one extreme", one_extreme},
    {"large", large},
    {"rare nonzero", rare_nonzero},
    {"twos", twos},
    {"factors", factors},
    {"large and zero", large_and_zero},
    {"power of two", power_of_two},
    {0},
};
