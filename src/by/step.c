/* SPDX-License-Identifier: MIT */
/* Adds values one by one: widens a block of them, over which each monoid then
 * makes a pass. */
#include "by/step.h"

#include <string.h>

#include "by/sum.h"
#include "reduce/float_format.h"

enum {
    BLOCK = 256,
    /* Records are prefetched this many values before they are needed. */
    AHEAD = 16,
};

struct block {
    const struct by_layout *layout;
    struct by_table *table;
    size_t number;            /* the column's number in a record */
    size_t n;                 /* values of the block */
    char *at[BLOCK];          /* the column in each value's record */
    uint64_t position[BLOCK]; /* of each value */
    uint64_t bits[BLOCK];     /* each value as it is, in the low bytes */
    double real[BLOCK];       /* floats only: the values */
    int64_t whole[BLOCK];     /* integers only: the values; of u64 the bits */
    uint64_t key[BLOCK];      /* integers in the order of the values */
};

#define LOAD(U)                                                         \
    for (size_t i = 0; i < n; i++) {                                    \
        U x;                                                            \
        memcpy(&x, from + (which ? which[i] : i) * sizeof x, sizeof x); \
        b->bits[i] = x;                                                 \
    }

static void load_bits(struct block *b, const char *from, const uint32_t *which,
                      size_t n)
{
    const unsigned size = dtype_size(b->layout->dtype);
    if (size == 8)
        LOAD(uint64_t)
    else if (size == 4)
        LOAD(uint32_t)
    else if (size == 2)
        LOAD(uint16_t)
    else
        LOAD(uint8_t)
}

/* Sets b->real or b->whole from b->bits. */
static void widen(struct block *b)
{
    const enum dtype dtype = b->layout->dtype;
    const unsigned shift = 64 - 8 * dtype_size(dtype);
    const bool is_signed = dtype_class(dtype) == 'i';
    if (dtype == DTYPE_f64) {
        memcpy(b->real, b->bits, b->n * sizeof *b->real);
    } else if (dtype_is_float(dtype)) {
        for (size_t i = 0; i < b->n; i++)
            b->real[i] = dtype_to_double(dtype, b->bits[i]);
    } else {
        for (size_t i = 0; i < b->n; i++)
            b->whole[i] = is_signed ? (int64_t)(b->bits[i] << shift) >> shift
                                    : (int64_t)b->bits[i];
    }
}

/* Fills the block with n of the values that by_step adds, from number `from`
 * on. */
static void fill(struct block *b, const struct by_addend *a,
                 const uint32_t *which, size_t from, size_t n)
{
    const size_t size = dtype_size(b->layout->dtype), bytes = b->layout->bytes;
    char *const records = layout_column(b->layout, a->table->record, b->number);
    b->n = n;
    load_bits(b, (const char *)a->column->values + (which ? 0 : from * size),
              which ? which + from : NULL, n);
    widen(b);
    for (size_t i = 0; i < n; i++) {
        const uint32_t row = addend_row(a, which ? which[from + i] : from + i);
        b->at[i] = records + (size_t)a->id[row] * bytes;
        b->position[i] = a->first + row;
    }
}

/* Counts value i, and prefetches the record of a later one. */
static inline void step_count(const struct block *b, size_t i)
{
    if (i + AHEAD < b->n)
        __builtin_prefetch(b->at[i + AHEAD], 1);
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
    for (size_t i = 0; i < b->n && !lost; i++) {
        char *column = b->at[i];
        step_count(b, i);
        if (__builtin_expect(!by_sum_add(column + at, b->real[i]), 0))
            lost = spill_real(b, column, b->real[i]);
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
        sum += is_u64 ? (__int128)(uint64_t)b->whole[i] : b->whole[i];
        memcpy(to, &sum, sizeof sum);
    }
}

static void make_keys(struct block *b)
{
    const enum dtype dtype = b->layout->dtype;
    if (dtype_class(dtype) == 'u') {
        memcpy(b->key, b->bits, b->n * sizeof *b->key);
    } else if (!dtype_is_float(dtype)) {
        for (size_t i = 0; i < b->n; i++)
            b->key[i] = key_of_signed(b->whole[i]);
    } else {
        for (size_t i = 0; i < b->n; i++) {
            int64_t key;
            memcpy(&key, &b->real[i], sizeof key);
            key ^= key >> 63 & INT64_MAX;
            b->key[i] = key_of_signed(key == -1 ? 0 : key);
        }
    }
}

static bool is_nan(const struct block *b, size_t i)
{
    return dtype_is_float(b->layout->dtype) && b->real[i] != b->real[i];
}

/* Steps a value that may be a new extreme, or NaN. */
static void step_extremum(const struct block *b, size_t i, struct extrema *x)
{
    const struct extremum e = {b->key[i], b->bits[i], b->position[i]};
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

/* Looks closer at values whose keys are not between the extremes. These include
 * all NaN, whose keys lie outside those of the infinities. */
static void step_extrema(struct block *b)
{
    const uint32_t at = b->layout->at[MONOID_extrema];
    make_keys(b);
    for (size_t i = 0; i < b->n; i++) {
        struct extrema *x = (struct extrema *)(b->at[i] + at);
        if (b->key[i] <= x->min.key || b->key[i] >= x->max.key)
            step_extremum(b, i, x);
    }
}

static void step_ends(const struct block *b)
{
    for (size_t i = 0; i < b->n; i++) {
        union state *s = layout_state(b->layout, b->at[i], MONOID_ends);
        const struct end_element e = {b->bits[i], b->position[i]};
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
        c->inf += is_float && !nan && b->real[i] - b->real[i] != 0;
        c->nonzero += is_float ? b->real[i] != 0 : b->whole[i] != 0;
        if (nan && b->position[i] < c->first_nan)
            c->first_nan = b->position[i];
    }
}

/* Adds powers of f64. */
static void step_power(const struct block *b, int monoid, unsigned power)
{
    for (size_t i = 0; i < b->n; i++) {
        const double x = b->real[i];
        const double factor[EXACT_FACTORS] = {x, x, x, x};
        exact_add_product(&layout_state(b->layout, b->at[i], monoid)->exact,
                          factor, power);
    }
}

static enum distinct_lost step_block(struct block *b)
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
    b.number = a->number;
    enum distinct_lost lost = DISTINCT_KEPT;
    if (a->column->texts)
        return by_step_texts(a, which, n);
    for (size_t i = 0; i < n && !lost; i += BLOCK) {
        fill(&b, a, which, i, n - i < BLOCK ? n - i : BLOCK);
        lost = step_block(&b);
    }
    if (!lost && l->values)
        lost = by_values_add(a, which, n);
    return !lost && l->monoids & ~l->direct ? by_step_runs(a, runs, which, n)
                                            : lost;
}
