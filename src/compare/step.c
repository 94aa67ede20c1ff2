/* SPDX-License-Identifier: MIT */
#include "compare/step_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "reduce/float_format.h"

const struct compare_loops *compare_loops(void)
{
#ifdef HAVE_X86_LOOPS
    if (cpu_runs(CPU_AVX512))
        return &compare_loops_avx512;
    if (cpu_runs(CPU_AVX2))
        return &compare_loops_avx2;
#endif
    return &compare_loops_base;
}

static bool is_64_bit_integer(enum dtype dtype)
{
    return !dtype_is_float(dtype) && dtype_size(dtype) == 8;
}

bool compare_is_mixed(enum dtype a, enum dtype b)
{
    return a != b && !dtype_is_float(a) && !dtype_is_float(b) &&
           (dtype_size(a) == 8 || dtype_size(b) == 8);
}

static enum way way_of(enum dtype a, enum dtype b)
{
    if (a == b && (a == DTYPE_f32 || a == DTYPE_f64))
        return a == DTYPE_f32 ? WAY_F32 : WAY_F64;
    if (a == b && is_64_bit_integer(a))
        return dtype_is_signed(a) ? WAY_I64 : WAY_U64;
    if (compare_is_mixed(a, b))
        return WAY_INTEGERS;
    return is_64_bit_integer(a) || is_64_bit_integer(b) ? WAY_APART
                                                        : WAY_WIDENED;
}

enum dtype compare_unit(enum dtype a, enum dtype b)
{
    return a == b && is_64_bit_integer(a) ? DTYPE_u64 : DTYPE_f64;
}

bool compare_has_steps(enum dtype a, enum dtype b)
{
    return a == b || (!dtype_is_float(a) && !dtype_is_float(b));
}

/* The bits of a float type's Inf or, if it has none, of its greatest number. */
static uint64_t number_max_of(enum dtype dtype)
{
    static const uint64_t max[DTYPES_ALL_END] = {
#define MAX(name, fraction, exponent, has_inf) \
    [DTYPE_##name] = INF_BITS(name) + (has_inf ? 0 : (1ull << fraction) - 2),
        FLOATS(MAX)
#undef MAX
    };
    return max[dtype];
}

struct compare_stepper *
compare_stepper_open(const struct compare_stepper_options *options,
                     struct error *e)
{
    const enum dtype unit = compare_unit(options->a, options->b);
    struct compare_stepper *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    if (!s)
        return error_memory(e);
    s->o = *options;
    s->way = way_of(options->a, options->b);
    s->has_steps = options->a == options->b && dtype_is_float(options->a);
    s->log_size = (unsigned)__builtin_ctz(dtype_size(options->a));
    s->number_max = number_max_of(options->a);
    s->loops = options->portable ? &compare_loops_base : compare_loops();
    const struct cpu_loops *sums =
        options->portable ? &cpu_loops_base : cpu_loops(0);
    s->squares = sums->run[MONOID_sumsq][unit];
    accumulator_init(&s->accumulator, MONOID_sumsq, unit);
    return s;
}

void compare_stepper_close(struct compare_stepper *s)
{
    free(s);
}

static void add_floats(struct compare_stepper *s, const struct compare_pairs *k)
{
    struct compare_nans nans = {0, 0};
    const void *a = k->a, *b = k->b;
    if (s->way == WAY_WIDENED) {
        s->loops->widen[s->o.a](s->wide[0], a, k->n);
        s->loops->widen[s->o.b](s->wide[1], b, k->n);
        a = s->wide[0];
        b = s->wide[1];
    }
    s->loops->differ(a, b, k->n, s->way != WAY_F32, s->difference, s->magnitude,
                     &nans);
    if (nans.either > 0)
        compare_add_nans(s, k, &nans);
    if (compare_add_reals(s, k) && s->has_steps)
        compare_add_steps(s, k);
}

/* Whether a pair of integers is a mismatch; d: their difference, which f64 may
 * not hold. A relative limit is rounded, and then so is the difference. */
static bool is_far_integer(const struct compare_tolerance *t, uint64_t d,
                           uint64_t magnitude)
{
    if (t->relative == 0)
        return t->absolute < 0x1p64 && d > (uint64_t)t->absolute;
    return compare_is_far(t, (double)d, (double)magnitude);
}

/* |b| of a pair of 64-bit integers. */
static uint64_t magnitude_of(const struct compare_stepper *s,
                             const struct compare_pairs *k, size_t i)
{
    const uint64_t bits = dtype_load(s->o.b, k->b + 8 * i);
    return s->way == WAY_I64 && bits >> 63 ? 0 - bits : bits;
}

/* Adds the pairs of integers that differ. For most, a product with room for its
 * rounding shows that the quotient is not the greatest. */
static void add_integer_pairs(struct compare_stepper *s,
                              const struct compare_pairs *k)
{
    struct compare_tally *t = k->t;
    double most = double_of_bits(t->relative.bits);
    for (size_t i = 0; i < k->n; i++) {
        const uint64_t d = s->integer[i], m = magnitude_of(s, k, i);
        if (d == 0)
            continue;
        if (is_far_integer(&s->o.tolerance, d, m))
            compare_tally_mismatch(t, compare_index(s, k->place + i));
        if ((double)d * (1 + 0x1p-50) < most * (double)m)
            continue;
        const double q = m == 0 ? (double)INFINITY : compare_quotient(d, m);
        compare_worst_offer(&t->relative, bits_of_double(q),
                            compare_index(s, k->place + i));
        most = double_of_bits(t->relative.bits);
    }
}

static void add_integers(struct compare_stepper *s,
                         const struct compare_pairs *k)
{
    const uint64_t greatest = s->loops->differ_integers(
        k->a, k->b, k->n, s->way == WAY_I64, s->integer);
    if (greatest == 0)
        return;
    add_integer_pairs(s, k);
    compare_offer(s, k, &k->t->absolute, s->integer, greatest);
    s->squares(&s->accumulator, s->integer, k->n, k->place);
}

/* Keeps the exact difference of two integers in s->integer or, if u64 cannot
 * hold it, offers it to `beyond`. */
static void keep_exact(struct compare_stepper *s, const struct compare_pairs *k,
                       size_t i, const struct compare_number *a,
                       const struct compare_number *b)
{
    const __int128 d = a->integer < b->integer ? b->integer - a->integer
                                               : a->integer - b->integer;
    const bool is_beyond = d > UINT64_MAX;
    s->integer[i] = is_beyond ? 0 : (uint64_t)d;
    if (is_beyond)
        compare_worst_offer(&k->t->beyond, bits_of_double(s->difference[i]),
                            compare_index(s, k->place + i));
}

/* Adds the pairs one by one, for two types that no single type can hold. */
static void add_apart(struct compare_stepper *s, const struct compare_pairs *k)
{
    const unsigned size = dtype_info(s->o.a)->size,
                   other = dtype_info(s->o.b)->size;
    struct compare_nans nans = {0, 0};
    for (size_t i = 0;
         i < (k->n + COMPARE_LANES - 1) / COMPARE_LANES * COMPARE_LANES; i++) {
        struct compare_number a = {.is_integer = true}, b = a;
        if (i < k->n) {
            a = compare_number_of(s->o.a, k->a + i * size);
            b = compare_number_of(s->o.b, k->b + i * other);
        }
        const double y = compare_number_real(&b);
        const bool is_nan = a.real != a.real, other_is = b.real != b.real;
        s->difference[i] = compare_difference(&a, &b);
        s->magnitude[i] = fabs(y);
        if (s->way == WAY_INTEGERS && i < k->n)
            keep_exact(s, k, i, &a, &b);
        nans.either += is_nan || other_is;
        nans.one += is_nan != other_is;
    }
    if (nans.either > 0)
        compare_add_nans(s, k, &nans);
    compare_add_reals(s, k);
}

/* If all pairs of a block have equal bytes, adds their NaN and returns true.
 * Returns false if their types or some bytes differ. */
static bool add_same(const struct compare_stepper *s,
                     const struct compare_pairs *k)
{
    if (s->o.a != s->o.b || memcmp(k->a, k->b, k->n << s->log_size) != 0)
        return false;
    if (dtype_is_float(s->o.a))
        k->t->nans.either +=
            s->loops->count_nans[s->log_size](k->a, k->n, s->number_max);
    return true;
}

void compare_step(struct compare_stepper *s, struct compare_tally *t,
                  union state *squares, const void *a, const void *b, size_t n,
                  uint64_t place)
{
    const unsigned size = dtype_info(s->o.a)->size,
                   other = dtype_info(s->o.b)->size;
    t->pairs += n;
    accumulator_begin(&s->accumulator, squares);
    for (size_t i = 0; i < n; i += COMPARE_BLOCK) {
        const struct compare_pairs k = {
            t, (const char *)a + i * size, (const char *)b + i * other,
            n - i < COMPARE_BLOCK ? n - i : COMPARE_BLOCK, place + i};
        if (add_same(s, &k))
            continue;
        if (s->way == WAY_I64 || s->way == WAY_U64)
            add_integers(s, &k);
        else if (s->way == WAY_INTEGERS || s->way == WAY_APART)
            add_apart(s, &k);
        else
            add_floats(s, &k);
    }
    accumulator_end(&s->accumulator);
}

void compare_step_numbers(struct compare_stepper *s, struct compare_tally *t,
                          union state *squares, const struct compare_number *a,
                          const struct compare_number *b, uint64_t place)
{
    const double x = compare_number_real(a), y = compare_number_real(b);
    const struct compare_pairs k = {t, (const char *)&x, (const char *)&y, 1,
                                    place};
    const struct compare_nans nans = {x != x || y != y, (x != x) != (y != y)};
    t->pairs++;
    memset(s->difference, 0, COMPARE_LANES * sizeof s->difference[0]);
    s->difference[0] = compare_difference(a, b);
    s->magnitude[0] = fabs(y);
    accumulator_begin(&s->accumulator, squares);
    if (nans.either > 0)
        compare_add_nans(s, &k, &nans);
    if (compare_add_reals(s, &k))
        compare_add_steps(s, &k);
    accumulator_end(&s->accumulator);
}
