/* SPDX-License-Identifier: MIT */
/* Adds values one by one: widens a block of them, over which each monoid then
 * makes a pass. */
#include "by/queue.h"
#include "by/step_block.h"
#include "by/sum.h"
#include "reduce/float_format.h"

/* Adds a value that does not fit the record's sum to the spill. */
static enum distinct_lost spill_real(struct by_table *t, char *column, double x)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    char *spill = table_spill(t, (struct by_column *)column, &lost);
    if (spill && x == 0)
        ++*spill_minus_zeros(spill);
    else if (spill)
        by_sum_add_exact(&spill_sum(t->layout, spill)->exact, x);
    return lost;
}

/* Adds an integer. The sum of 2^63 of them fits in 128 bits. */
static inline void add_whole(char *to, uint64_t bits, bool is_u64)
{
    __int128 sum;
    memcpy(&sum, to, sizeof sum);
    sum += is_u64 ? (__int128)bits : (int64_t)bits;
    memcpy(to, &sum, sizeof sum);
}

/* Counts n values and adds them to the sums, if there are any, of the columns
 * at at[i] + offset. The values are wide, and `stride` bytes apart. */
static enum distinct_lost step_sums(struct by_table *t, char *const *at,
                                    size_t offset, const char *values,
                                    size_t stride, size_t n)
{
    const struct by_layout *l = t->layout;
    const size_t sum = l->at[MONOID_sum];
    const bool is_float = sum && dtype_is_float(l->dtype);
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t i = 0; i < n; i++, values += stride) {
        char *column = at[i] + offset;
        uint64_t bits;
        memcpy(&bits, values, sizeof bits);
        ((struct by_column *)column)->n++;
        if (is_float) {
            if (__builtin_expect(by_sum_add(column + sum, bits), 1))
                continue;
            lost = spill_real(t, column, double_of_bits(bits));
            if (lost)
                break;
        } else if (sum) {
            add_whole(column + sum, bits, l->dtype == DTYPE_u64);
        }
    }
    return lost;
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
    const enum distinct_lost lost =
        step_sums(b->table, b->at, 0, b->wide, sizeof(uint64_t), b->n);
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

enum distinct_lost by_step_queued(struct by_table *t, size_t number,
                                  const char *queued, size_t stride, size_t n,
                                  char *const *record)
{
    return step_sums(t, record, t->layout->first + number * t->layout->stride,
                     queued + offsetof(struct queued, value) +
                         number * sizeof(uint64_t),
                     stride, n);
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
