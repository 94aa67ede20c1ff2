/* SPDX-License-Identifier: MIT */
/* Floats with exponents or orders that are hard to sum. */
#include "data_float.h"

/* Makes the sum of each window as large as it can be. */
uint64_t data_full(struct maker *m)
{
    return fields(m, m->keep & 1, m->bias, UINT64_MAX);
}

/* Windows that are placed by the first elements can just hold elements of 16
 * times their size, but not those of 32 times. */
uint64_t data_swelling(struct maker *m)
{
    uint64_t more = m->i < 1100 ? 0 : m->keep % 3 + 3;
    bool sign = m->keep >> 62 == 0 ? any(m, 2) : m->keep >> 63;
    return fields(m, sign, m->bias + more, UINT64_MAX - any(m, 2));
}

/* Compensated sums that are placed by the first 8192 elements can just hold the
 * elements that follow if all have one sign, or just cannot. */
uint64_t data_outgrowing(struct maker *m)
{
    uint64_t more = m->i < 8192 ? 0 : m->keep % 5 + 1;
    bool sign = m->keep >> 62 == 0 ? any(m, 2) : m->keep >> 63;
    return fields(m, sign, m->bias + more, UINT64_MAX - any(m, 2));
}

/* About as many binades as a compensated sum can hold, at any exponent. Some
 * mantissas are short. The signs are mixed or all positive. */
uint64_t data_spanning(struct maker *m)
{
    uint64_t width = 1 + m->keep % 64;
    uint64_t lowest = m->keep / 64 % 4 == 0 ? 0 : m->keep / 256;
    uint64_t least = lowest % (m->top > width ? m->top - width + 1 : 1);
    uint64_t x = with_exponent(m, (least + any(m, width)) % m->top);
    if (m->keep >> 63)
        x &= ~0ull << (m->fraction / 2);
    return m->keep >> 62 & 1 ? x & ~m->sign : x;
}

uint64_t data_one_huge(struct maker *m)
{
    return m->i == m->keep % m->n ? with_exponent(m, m->top - 1) : uniform(m);
}

uint64_t data_hostile(struct maker *m)
{
    return with_exponent(m, any(m, m->top));
}

uint64_t data_subnormal(struct maker *m)
{
    return with_exponent(m, 0);
}

uint64_t data_topmost(struct maker *m)
{
    return with_exponent(m, m->top - 1 - any(m, 3));
}

uint64_t data_top_positive(struct maker *m)
{
    return data_topmost(m) & ~m->sign;
}

/* Goes from the least number to the greatest in equal steps of the bits. */
uint64_t data_ascending(struct maker *m)
{
    uint64_t most = (m->top << m->fraction) - 1;
    __int128 at = (__int128)2 * most * m->i / m->n - (__int128)most;
    return at < 0 ? m->sign | (uint64_t)-at : (uint64_t)at;
}

uint64_t data_descending(struct maker *m)
{
    return data_ascending(m) ^ m->sign;
}

/* Magnitudes grow towards the end; each is a power of two or just below one. */
uint64_t data_stairs(struct maker *m)
{
    uint64_t step = m->i * m->top / m->n;
    return fields(m, any(m, 2), step, any(m, 2) ? UINT64_MAX : 0);
}

/* x, -x, ...: the sum is 0, or the last element of an odd number. */
uint64_t data_cancelling(struct maker *m)
{
    m->keep = m->i % 2 ? m->keep ^ m->sign : data_hostile(m);
    return m->keep;
}

/* The second half cancels the first, in reverse. */
uint64_t data_mirrored(struct maker *m)
{
    bool second = m->i >= m->n - m->i;
    uint64_t place = second ? m->n - 1 - m->i : m->i;
    uint64_t r = random_hash(m->seed, place);
    return fields(m, (r >> 63) ^ second, (r >> 53 & 0x3ff) % m->top, r);
}

/* Squares underflow, or at least their rounding errors do. */
uint64_t data_tiny(struct maker *m)
{
    uint64_t below = m->dtype == DTYPE_f64 ? 1023 - 485 : m->bias / 2;
    return with_exponent(m, any(m, below));
}

uint64_t data_some_tiny(struct maker *m)
{
    return any(m, m->keep % 40 + 2) == 0 ? data_tiny(m) : uniform(m);
}

/* Around the bound of "tiny", often with a single exponent and with squares
 * just above the next power of two. The error of a square just underflows here,
 * while the windows may still hold the square itself. */
uint64_t data_about_tiny(struct maker *m)
{
    uint64_t below = m->dtype == DTYPE_f64 ? 1023 - 485 : m->bias / 2;
    uint64_t width = m->keep % 2 ? 1 : 1 + m->keep / 2 % 20;
    uint64_t lowest = below + 2 - m->keep / 64 % 6;
    uint64_t x = with_exponent(m, (lowest + any(m, width)) % m->top);
    return m->keep >> 63 ? x | 1ull << (m->fraction - 1) : x;
}

/* Around the exponents at which squares leave the fast path, overflow or
 * vanish. */
uint64_t data_square_edges(struct maker *m)
{
    static const int wide[] = {-1022, -538, -537, -512, -511, -486, -485, -484,
                               484,   485,  486,  511,  512,  513,  996,  1023};
    uint64_t last = m->top - 1;
    const uint64_t narrow[] = {
        0, 1, 2, m->bias / 2, m->bias, last / 4 * 3, last - 1, last};
    if (m->dtype != DTYPE_f64)
        return with_exponent(m, narrow[any(m, 8)]);
    /* One, two or all of the exponents. */
    uint64_t which = any(m, 1 + m->keep % 3 * 8) + m->keep;
    return with_exponent(m, (uint64_t)(wide[which % 16] + 1023));
}

/* Each run of some hundred elements has a random scale of its own. */
uint64_t data_drifting(struct maker *m)
{
    uint64_t stretch = m->i / (m->keep % 2000 + 100);
    uint64_t scale = random_hash(m->seed, stretch) % (m->top - 3);
    return with_exponent(m, scale + any(m, 3));
}

/* Runs that fit into windows alternate with runs that fit into none. */
uint64_t data_fitful(struct maker *m)
{
    uint64_t stretch = m->i / (m->keep % 5000 + 500);
    return random_hash(m->seed, stretch) & 1 ? data_hostile(m) : uniform(m);
}
