/* SPDX-License-Identifier: MIT */
/* Adds values one by one: widens a block of them, over which each monoid then
 * makes a pass. */
#include "by/step_block.h"
#include "by/sum.h"
#include "reduce/float_format.h"

static inline void step_count(const struct block *b, size_t i)
{
    ((struct by_column *)b->at[i])->n++;
}

static void step_counts(const struct block *b)
{
    for (size_t i = 0; i < b->n; i++)
        step_count(b, i);
}

/* Adds a value that does not fit the record's sum to the spill. */
static enum distinct_lost spill_real(const struct block *b, char *column,
                                     double x)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    char *spill = table_spill(b->table, (struct by_column *)column, &lost);
    if (spill && x == 0)
        ++*spill_minus_zeros(spill);
    else if (spill)
        by_sum_add_exact(&spill_sum(b->layout, spill)->exact, x);
    return lost;
}

/* Counts and sums of floats. */
static enum distinct_lost step_sums(const struct block *b)
{
    const uint32_t at = b->layout->at[MONOID_sum];
    enum distinct_lost lost = DISTINCT_KEPT;
    const size_t n = b->n;
    for (size_t i = 0; i < n; i++) {
        char *column = b->at[i];
        ((struct by_column *)column)->n++;
        if (__builtin_expect(by_sum_add(column + at, real_of(b, i)), 1))
            continue;
        lost = spill_real(b, column, real_of(b, i));
        if (lost)
            break;
    }
    return lost;
}

/* Adds integers. The sum of 2^63 of them fits in 128 bits. */
static void step_whole_sums(const struct block *b)
{
    const uint32_t at = b->layout->at[MONOID_sum];
    const bool is_u64 = b->layout->dtype == DTYPE_u64;
    for (size_t i = 0; i < b->n; i++) {
        char *to = b->at[i] + at;
        __int128 sum;
        memcpy(&sum, to, sizeof sum);
        sum += is_u64 ? (__int128)(uint64_t)whole_of(b, i) : whole_of(b, i);
        memcpy(to, &sum, sizeof sum);
    }
}

static bool is_nan(const struct block *b, size_t i)
{
    return dtype_is_float(b->layout->dtype) && real_of(b, i) != real_of(b, i);
}

/* Steps a value that may be a new extreme, or NaN. */
static void step_extremum(const struct block *b, size_t i, uint64_t key,
                          struct extrema *x)
{
    const struct extremum e = {key, bits_of(b, i), position_of(b, i)};
    if (is_nan(b, i)) {
        x->nans++;
        if (e.index < x->first_nan)
            x->first_nan = e.index;
        return;
    }
    if (extremum_beats(&e, &x->min, 0))
        x->min = e;
    if (extremum_beats(&e, &x->max, 1))
        x->max = e;
}

/* A value's key: these are in the order of the values. */
static inline uint64_t key_of(const struct block *b, size_t i, char class)
{
    int64_t key = whole_of(b, i); /* of a float, its bits */
    if (class == 'u')
        return (uint64_t)key;
    if (class == 'f') {
        key ^= key >> 63 & INT64_MAX;
        key = key == -1 ? 0 : key;
    }
    return key_of_signed(key);
}

/* Looks closer at values whose keys are not between the extremes. These include
 * all NaN, whose keys lie outside those of the infinities. */
static inline __attribute__((always_inline)) void
step_extrema_of(const struct block *b, char class)
{
    const uint32_t at = b->layout->at[MONOID_extrema];
    for (size_t i = 0; i < b->n; i++) {
        struct extrema *x = (struct extrema *)(b->at[i] + at);
        const uint64_t key = key_of(b, i, class);
        if (key <= x->min.key || key >= x->max.key)
            step_extremum(b, i, key, x);
    }
}

static void step_extrema(const struct block *b)
{
    if (dtype_is_float(b->layout->dtype))
        step_extrema_of(b, 'f');
    else if (dtype_class(b->layout->dtype) == 'u')
        step_extrema_of(b, 'u');
    else
        step_extrema_of(b, 'i');
}

static void step_ends(const struct block *b)
{
    for (size_t i = 0; i < b->n; i++) {
        union state *s = layout_state(b->layout, b->at[i], MONOID_ends);
        const struct end_element e = {bits_of(b, i), position_of(b, i)};
        const struct end_element none = {0, INDEX_NONE};
        const bool is_number = !is_nan(b, i);
        const struct ends ends = {e, e, is_number ? e : none,
                                  is_number ? e : none};
        ends_merge(&s->ends, &ends);
    }
}

static void step_tallies(const struct block *b)
{
    const bool is_float = dtype_is_float(b->layout->dtype);
    for (size_t i = 0; i < b->n; i++) {
        struct count *c =
            &layout_state(b->layout, b->at[i], MONOID_count)->count;
        const bool nan = is_nan(b, i);
        c->nan += nan;
        c->inf += is_float && !nan && real_of(b, i) - real_of(b, i) != 0;
        c->nonzero += is_float ? real_of(b, i) != 0 : whole_of(b, i) != 0;
        if (nan && position_of(b, i) < c->first_nan)
            c->first_nan = position_of(b, i);
    }
}

/* Adds powers of f64. */
static void step_power(const struct block *b, int monoid, unsigned power)
{
    for (size_t i = 0; i < b->n; i++) {
        const double x = real_of(b, i);
        const double factor[EXACT_FACTORS] = {x, x, x, x};
        exact_add_product(&layout_state(b->layout, b->at[i], monoid)->exact,
                          factor, power);
    }
}

static enum distinct_lost step_block(const struct block *b)
{
    const unsigned direct = b->layout->direct;
    enum distinct_lost lost = DISTINCT_KEPT;
    if (direct & MONOID_BIT(sum) && dtype_is_float(b->layout->dtype)) {
        lost = step_sums(b);
    } else {
        step_counts(b);
        if (direct & MONOID_BIT(sum))
            step_whole_sums(b);
    }
    if (direct & MONOID_BIT(extrema))
        step_extrema(b);
    if (direct & MONOID_BIT(ends))
        step_ends(b);
    if (direct & MONOID_BIT(count))
        step_tallies(b);
    if (direct & MONOID_BIT(sumsq))
        step_power(b, MONOID_sumsq, 2);
    if (direct & MONOID_BIT(sumcube))
        step_power(b, MONOID_sumcube, 3);
    if (direct & MONOID_BIT(sumfourth))
        step_power(b, MONOID_sumfourth, 4);
    return lost;
}

enum distinct_lost by_step(const struct by_addend *a, struct by_runs *runs,
                           const uint32_t *which, size_t n)
{
    const struct by_layout *l = a->table->layout;
    struct block b;
    b.layout = l;
    b.table = a->table;
    b.addend = a;
    enum distinct_lost lost = DISTINCT_KEPT;
    if (a->column->texts)
        return by_step_texts(a, which, n);
    for (size_t i = 0; i < n && !lost; i += BLOCK) {
        block_fill(&b, which, i, n - i < BLOCK ? n - i : BLOCK);
        lost = step_block(&b);
    }
    if (!lost && l->values)
        lost = by_values_add(a, which, n);
    return !lost && l->monoids & ~l->direct ? by_step_runs(a, runs, which, n)
                                            : lost;
}
