/* SPDX-License-Identifier: MIT */
/* Floats: what one adds up every day, and what breaks summing. */
#include "data.h"

static uint64_t any(struct maker *m, uint64_t n)
{
    return random_below(&m->random, n);
}

/* A float by its fields; all but the sign may be too long. */
static uint64_t fields(struct maker *m, bool negative, uint64_t exponent,
                       uint64_t fraction)
{
    uint64_t one = 1ull << m->fraction;
    return (negative ? m->sign : 0) | exponent << m->fraction |
           (fraction & (one - 1));
}

/* Of any sign and fraction and this exponent field. */
static uint64_t with_exponent(struct maker *m, uint64_t exponent)
{
    uint64_t r = random_next(&m->random);
    return fields(m, r >> 63, exponent, r);
}

static uint64_t of(struct maker *m, double value)
{
    return dtype_from_double(m->dtype, value);
}

static uint64_t uniform(struct maker *m)
{
    return of(m, 2 * random_unit(&m->random) - 1);
}

static uint64_t normal(struct maker *m)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(&m->random);
    return of(m, sum);
}

static uint64_t negative(struct maker *m)
{
    return normal(m) | m->sign;
}

static uint64_t whole(struct maker *m)
{
    return of(m, (double)any(m, 2001) - 1000);
}

static uint64_t zero(struct maker *m)
{
    (void)m;
    return 0;
}

static uint64_t minus_zero(struct maker *m)
{
    return m->sign;
}

static uint64_t either_zero(struct maker *m)
{
    return any(m, 2) ? m->sign : 0;
}

static uint64_t constant(struct maker *m)
{
    if (m->i == 0)
        m->keep = normal(m);
    return m->keep;
}

/* Each window's sum is as large as it can be. */
static uint64_t full(struct maker *m)
{
    return fields(m, m->keep & 1, m->bias, UINT64_MAX);
}

/* Windows set over the first elements just hold those of 16 times the size,
 * and do not hold those of 32 times. */
static uint64_t swelling(struct maker *m)
{
    uint64_t more = m->i < 1100 ? 0 : m->keep % 3 + 3;
    bool sign = m->keep >> 62 == 0 ? any(m, 2) : m->keep >> 63;
    return fields(m, sign, m->bias + more, UINT64_MAX - any(m, 2));
}

static uint64_t one_huge(struct maker *m)
{
    return m->i == m->keep % m->n ? with_exponent(m, m->top - 1) : uniform(m);
}

static uint64_t hostile(struct maker *m)
{
    return with_exponent(m, any(m, m->top));
}

static uint64_t subnormal(struct maker *m)
{
    return with_exponent(m, 0);
}

static uint64_t topmost(struct maker *m)
{
    return with_exponent(m, m->top - 1 - any(m, 3));
}

static uint64_t top_positive(struct maker *m)
{
    return topmost(m) & ~m->sign;
}

static uint64_t some_nan(struct maker *m)
{
    uint64_t nan = with_exponent(m, m->top);
    return nan << (64 - m->fraction) ? nan : nan | 1;
}

static uint64_t rare_nan(struct maker *m)
{
    return any(m, 500) == 0 || m->i == m->keep % m->n ? some_nan(m) : normal(m);
}

static uint64_t frequent_nan(struct maker *m)
{
    return any(m, 3) == 0 ? some_nan(m) : normal(m);
}

/* Whether -0 is the sum is for the others to say. */
static uint64_t nan_and_minus_zero(struct maker *m)
{
    return any(m, 2) ? some_nan(m) : m->sign;
}

static uint64_t inf_one_sign(struct maker *m)
{
    bool is = any(m, 200) == 0 || m->i == m->keep % m->n;
    return is ? fields(m, m->keep >> 63, m->top, 0) : normal(m);
}

static uint64_t inf_both(struct maker *m)
{
    return any(m, 50) == 0 ? fields(m, any(m, 2), m->top, 0) : normal(m);
}

static uint64_t specials(struct maker *m)
{
    switch (any(m, 6)) {
    case 0:
        return some_nan(m);
    case 1:
        return fields(m, any(m, 2), m->top, 0);
    case 2:
        return either_zero(m);
    case 3:
        return subnormal(m);
    default:
        return hostile(m);
    }
}

static uint64_t random_bits(struct maker *m)
{
    return random_next(&m->random) & (m->sign | (m->sign - 1));
}

/* From the least number to the greatest in equal steps of the bits. */
static uint64_t ascending(struct maker *m)
{
    uint64_t most = (m->top << m->fraction) - 1;
    __int128 at = (__int128)2 * most * m->i / m->n - (__int128)most;
    return at < 0 ? m->sign | (uint64_t)-at : (uint64_t)at;
}

static uint64_t descending(struct maker *m)
{
    return ascending(m) ^ m->sign;
}

/* Magnitudes that grow to the end, a power of two or just below one. */
static uint64_t stairs(struct maker *m)
{
    uint64_t step = m->i * m->top / m->n;
    return fields(m, any(m, 2), step, any(m, 2) ? UINT64_MAX : 0);
}

static uint64_t ties(struct maker *m)
{
    static const double values[] = {-7, 7, -0.0, 0, 3, -3, 0.5};
    return of(m, values[any(m, m->keep % 6 + 2)]);
}

/* x, -x, ...: 0, or the last of an odd number. */
static uint64_t cancelling(struct maker *m)
{
    m->keep = m->i % 2 ? m->keep ^ m->sign : hostile(m);
    return m->keep;
}

/* The second half cancels the first, in reverse. */
static uint64_t mirrored(struct maker *m)
{
    bool second = m->i >= m->n - m->i;
    uint64_t place = second ? m->n - 1 - m->i : m->i;
    uint64_t r = random_hash(m->seed, place);
    return fields(m, (r >> 63) ^ second, (r >> 53 & 0x3ff) % m->top, r);
}

/* Squares, or at least their errors, underflow. */
static uint64_t tiny(struct maker *m)
{
    uint64_t below = m->dtype == DTYPE_f64 ? 1023 - 485 : m->bias / 2;
    return with_exponent(m, any(m, below));
}

static uint64_t some_tiny(struct maker *m)
{
    return any(m, m->keep % 40 + 2) == 0 ? tiny(m) : uniform(m);
}

/* All of about the size below which "tiny" is. */
static uint64_t about_tiny(struct maker *m)
{
    uint64_t below = m->dtype == DTYPE_f64 ? 1023 - 485 : m->bias / 2;
    uint64_t width = 1 + m->keep % 20, lowest = below + 10 - m->keep / 32 % 24;
    return with_exponent(m, (lowest + any(m, width)) % m->top);
}

/* Near where squares leave the fast path, overflow or vanish. */
static uint64_t square_edges(struct maker *m)
{
    static const int wide[] = {-1022, -538, -537, -512, -511, -486, -485, -484,
                               484,   485,  486,  511,  512,  513,  996,  1023};
    uint64_t last = m->top - 1;
    const uint64_t narrow[] = {
        0, 1, 2, m->bias / 2, m->bias, last / 4 * 3, last - 1, last};
    if (m->dtype != DTYPE_f64)
        return with_exponent(m, narrow[any(m, 8)]);
    /* One, two or all of them. */
    uint64_t which = any(m, 1 + m->keep % 3 * 8) + m->keep;
    return with_exponent(m, (uint64_t)(wide[which % 16] + 1023));
}

/* A scale of its own every so many elements. */
static uint64_t drifting(struct maker *m)
{
    uint64_t stretch = m->i / (m->keep % 2000 + 100);
    uint64_t scale = random_hash(m->seed, stretch) % (m->top - 3);
    return with_exponent(m, scale + any(m, 3));
}

/* Stretches that fit windows and stretches that fit none. */
static uint64_t fitful(struct maker *m)
{
    uint64_t stretch = m->i / (m->keep % 5000 + 500);
    return random_hash(m->seed, stretch) & 1 ? hostile(m) : uniform(m);
}

/* Products that stay in reach. */
static uint64_t near_one(struct maker *m)
{
    return of(m, 1 + random_unit(&m->random) / 64 - 1.0 / 128);
}

const struct data_class data_float_classes[] = {
    {"uniform", uniform},
    {"normal", normal},
    {"negative", negative},
    {"whole", whole},
    {"zero", zero},
    {"minus zero", minus_zero},
    {"either zero", either_zero},
    {"constant", constant},
    {"full", full},
    {"swelling", swelling},
    {"one huge", one_huge},
    {"hostile", hostile},
    {"subnormal", subnormal},
    {"topmost", topmost},
    {"top positive", top_positive},
    {"rare nan", rare_nan},
    {"frequent nan", frequent_nan},
    {"all nan", some_nan},
    {"nan and minus zero", nan_and_minus_zero},
    {"inf of one sign", inf_one_sign},
    {"inf of both signs", inf_both},
    {"specials", specials},
    {"random bits", random_bits},
    {"ascending", ascending},
    {"descending", descending},
    {"stairs", stairs},
    {"ties", ties},
    {"cancelling", cancelling},
    {"mirrored", mirrored},
    {"tiny", tiny},
    {"some tiny", some_tiny},
    {"about tiny", about_tiny},
    {"square edges", square_edges},
    {"drifting", drifting},
    {"fitful", fitful},
    {"near one", near_one},
    {0},
};
