/* SPDX-License-Identifier: MIT */
/* Classes of floats: everyday values, special values, and the table of all
 * classes. */
#include "data_float.h"

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

/* Another test decides whether -0 is a correct sum here. */
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
        return data_subnormal(m);
    default:
        return data_hostile(m);
    }
}

static uint64_t random_bits(struct maker *m)
{
    return random_next(&m->random) & (m->sign | (m->sign - 1));
}

static uint64_t ties(struct maker *m)
{
    static const double values[] = {-7, 7, -0.0, 0, 3, -3, 0.5};
    return of(m, values[any(m, m->keep % 6 + 2)]);
}

/* Products of these numbers neither overflow nor underflow. */
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
    {"full", data_full},
    {"swelling", data_swelling},
    {"outgrowing", data_outgrowing},
    {"spanning", data_spanning},
    {"one huge", data_one_huge},
    {"hostile", data_hostile},
    {"subnormal", data_subnormal},
    {"topmost", data_topmost},
    {"top positive", data_top_positive},
    {"rare nan", rare_nan},
    {"frequent nan", frequent_nan},
    {"all nan", some_nan},
    {"nan and minus zero", nan_and_minus_zero},
    {"inf of one sign", inf_one_sign},
    {"inf of both signs", inf_both},
    {"specials", specials},
    {"random bits", random_bits},
    {"ascending", data_ascending},
    {"descending", data_descending},
    {"stairs", data_stairs},
    {"ties", ties},
    {"cancelling", data_cancelling},
    {"mirrored", data_mirrored},
    {"tiny", data_tiny},
    {"some tiny", data_some_tiny},
    {"about tiny", data_about_tiny},
    {"square edges", data_square_edges},
    {"drifting", data_drifting},
    {"fitful", data_fitful},
    {"near one", near_one},
    {0},
};
