/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Limited, so that one mistake does not hide another. */
enum { PRINTED_MAX = 2 };

/* The first field that differs, or none. */
struct finding {
    bool found;
    char field[32];
    uint64_t got, want;
};

static void check(struct finding *f, const char *field, uint64_t got,
                  uint64_t want)
{
    if (got == want || f->found)
        return;
    f->found = true;
    snprintf(f->field, sizeof f->field, "%s", field);
    f->got = got;
    f->want = want;
}

static void check_count(struct finding *f, const struct count *got,
                        const struct reference *want)
{
    check(f, "nan", got->nan, want->nan);
    check(f, "inf", got->inf, want->inf[0] + want->inf[1]);
    check(f, "nonzero", got->nonzero, want->n - want->zero);
    check(f, "first_nan", got->first_nan, want->first_nan);
}

/* Checks the sign of a sum of zero, for dense states. If all elements are NaN
 * there is no sum to check. */
static void check_zero(struct finding *f, const struct exact *got,
                       enum exact_map map, const struct reference *want)
{
    bool is_signed = dtype_is_float(want->dtype) && map == EXACT_VALUE;
    if (want->n == want->nan || want->inf[0] || want->inf[1])
        return;
    for (unsigned i = 0; i < got->words; i++) {
        if (got->word[i])
            return;
    }
    check(f, "not_negative_zero", got->not_negative_zero,
          !is_signed || want->not_negative_zero);
}

static void check_exact(struct finding *f, const struct exact *state,
                        enum exact_map map, const struct reference *want)
{
    struct exact dense;
    const struct exact *got = &dense;
    exact_copy(&dense, state);
    const struct big *sum = &want->sum[map];
    bool is_signed = map == EXACT_VALUE || map == EXACT_CUBE;
    check(f, "place", state->place == EXACT_LOST, false);
    check(f, "nan", got->nan, want->nan);
    check(f, "plus_inf", got->plus_inf,
          want->inf[0] + (is_signed ? 0 : want->inf[1]));
    check(f, "minus_inf", got->minus_inf, is_signed ? want->inf[1] : 0);
    check(f, "lsb", (uint64_t)got->lsb,
          (uint64_t)reference_lsb(want->dtype, map));
    /* The state may be narrower than the reference, but must hold the sum. */
    for (unsigned i = 0; i < BIG_LIMBS && !f->found; i++) {
        uint64_t sign = got->word[got->words - 1] >> 63 ? UINT64_MAX : 0;
        uint64_t word = i < got->words ? got->word[i] : sign;
        char field[32];
        if (word == sum->limb[i])
            continue;
        snprintf(field, sizeof field, "word[%u]", i);
        check(f, field, word, sum->limb[i]);
    }
    check_zero(f, got, map, want);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void check_float_product(struct finding *f, const struct prod *got,
                                const struct reference *want)
{
    struct prod_node value = prod_value(got);
    check(f, "nans", got->nans, want->nan);
    check(f, "infs", got->infs, want->inf[0] + want->inf[1]);
    check(f, "zeros", got->zeros, want->zero);
    check(f, "mantissa", bits_of(value.mantissa), bits_of(want->mantissa));
    check(f, "exponent", (uint64_t)value.exponent, (uint64_t)want->exponent);
}

static void check_integer_product(struct finding *f,
                                  const struct prod_integer *got,
                                  const struct reference *want)
{
    check(f, "zero", got->zero, want->zero > 0);
    if (want->zero)
        return;
    check(f, "too_large", got->too_large, want->too_large);
    if (want->too_large)
        return;
    check(f, "negative", got->negative, want->negative);
    check(f, "low", got->low, (uint64_t)want->magnitude);
    check(f, "high", got->high, (uint64_t)(want->magnitude >> 64));
}

static void check_extremum(struct finding *f, const char *name,
                           const struct extremum *got,
                           const struct reference_extremum *want)
{
    char field[32];
    snprintf(field, sizeof field, "%s.index", name);
    check(f, field, got->index, want->any ? want->index : INDEX_NONE);
    if (!want->any)
        return;
    snprintf(field, sizeof field, "%s.bits", name);
    check(f, field, got->bits, want->bits);
    snprintf(field, sizeof field, "%s.key", name);
    check(f, field, got->key, want->key);
}

static void check_extrema(struct finding *f, const struct extrema *got,
                          bool magnitudes, const struct reference *want)
{
    const struct reference_extremum *e = &want->extremum[magnitudes ? 2 : 0];
    check(f, "nans", got->nans, want->nan);
    check(f, "first_nan", got->first_nan, want->first_nan);
    check_extremum(f, "min", &got->min, &e[0]);
    check_extremum(f, "max", &got->max, &e[1]);
}

static void check_ends(struct finding *f, const struct ends *got,
                       const struct reference *want)
{
    static const char *const names[] = {"first", "last", "first_number",
                                        "last_number"};
    const struct end_element end[] = {got->first, got->last, got->first_number,
                                      got->last_number};
    for (int i = 0; i < 4; i++) {
        check(f, names[i], end[i].index, want->end[i].index);
        check(f, names[i], end[i].bits, want->end[i].bits);
    }
}

/* Raw elements are never wide integers, so `wide` must be empty. Only text may
 * have some that were rounded. */
static void check_wide(struct finding *f, const struct wide *state)
{
    struct wide whole;
    const struct wide *got = &whole;
    wide_copy(&whole, state);
    check(f, "first.index", got->first.index, INDEX_NONE);
    check(f, "min.magnitude", got->min.magnitude, 0);
}

/* Single elements add nothing to the sums of pairs, so these must be empty. */
static void check_empty_sum(struct finding *f, const struct exact *state)
{
    struct exact got;
    exact_trim(&got, state);
    check(f, "words", got.room, 0);
    check(f, "nan", got.nan, 0);
}

static void check_state(struct finding *f, enum monoid monoid,
                        const union state *got, const struct reference *want)
{
    switch (monoid) {
    case MONOID_count:
        check_count(f, &got->count, want);
        break;
    case MONOID_prod:
        if (dtype_is_float(want->dtype))
            check_float_product(f, &got->prod, want);
        else
            check_integer_product(f, &got->prod.integer, want);
        break;
    case MONOID_extrema:
    case MONOID_absextrema:
        check_extrema(f, &got->extrema, monoid == MONOID_absextrema, want);
        break;
    case MONOID_ends:
        check_ends(f, &got->ends, want);
        break;
    case MONOID_wide:
        check_wide(f, &got->wide);
        break;
    case MONOID_sum:
    case MONOID_sumabs:
    case MONOID_sumsq:
    case MONOID_sumcube:
    case MONOID_sumfourth:
        check_exact(f, &got->exact, monoids[monoid].map, want);
        break;
    case MONOID_sumb:
    case MONOID_sumsqb:
    case MONOID_sumab:
    case MONOID_sumaab:
        check_empty_sum(f, &got->exact);
        break;
    case MONOID_distinct:
    case MONOID_tallies:
    case MONOID_sketch:
        /* The loops do not step these; tests/unit/distinct.c checks them. */
        break;
    case MONOID_ranks: /* no pass asks for ranks here: see tests/unit/ranks.c */
        check(f, "kept", got->ranks.kept || got->ranks.count, false);
        break;
    case MONOIDS_END:
        break;
    }
}

static void print_subject(const struct score *t, const struct subject *s)
{
    const struct dataset *d = s->data;
    printf("FAILED: %s, %s: %s, class '%s', n %zu, first index %" PRIu64
           ", seed 0x%" PRIx64 " (of the run: --seed 0x%" PRIx64 ")\n",
           s->backend, s->how, dtype_info(d->dtype)->name, d->kind->name, d->n,
           d->first, d->seed, t->seed);
}

bool compare_state(struct score *t, const struct subject *subject,
                   const struct reference *want, enum monoid monoid,
                   const union state *got)
{
    struct finding f = {.found = false};
    t->cases++;
    check_state(&f, monoid, got, want);
    t->failures += f.found;
    if (f.found && t->printed[want->dtype][monoid]++ < PRINTED_MAX) {
        print_subject(t, subject);
        printf("    %s: %s is 0x%016" PRIx64 " (%" PRIu64
               "), must be 0x%016" PRIx64 " (%" PRIu64 ")\n",
               monoids[monoid].name, f.field, f.got, f.got, f.want, f.want);
    }
    return !f.found;
}

void compare_fail(struct score *t, const struct subject *subject,
                  const char *what)
{
    t->cases++;
    t->failures++;
    print_subject(t, subject);
    printf("    %s\n", what);
}
