/* SPDX-License-Identifier: MIT */
#include "reduce/histogram.h"

#include <math.h>
#include <stdlib.h>

#include "reduce/finish.h"
#include "reduce/op_rows.h"

/* The unit of all numbers here: half of the least f64. */
enum { UNIT = -1075 };

/* Edge i times the number of bins, in that unit. */
static void edge_above(const struct histogram *h, size_t i, struct bigint *to)
{
    struct bigint low, high, half;
    finish_value(&low, &h->low, UNIT);
    finish_value(&high, &h->high, UNIT);
    bigint_set(&half, h->is_wider);
    bigint_shift(&half, &half, UNIT + 1);
    bigint_subtract(&low, &half);
    bigint_add(&high, &half);
    bigint_times(&low, h->bins - i);
    bigint_times(&high, i);
    bigint_copy(to, &low);
    bigint_add(to, &high);
}

/* Whether a value is at or above edge i or, if that is the last edge, above it.
 * `edge` is the result of edge_above. */
static bool is_from(const struct histogram *h, const struct value *v, size_t i,
                    const struct bigint *edge)
{
    struct bigint difference;
    if (v->kind == VALUE_REAL && isinf(v->real))
        return v->real > 0;
    finish_value(&difference, v, UNIT);
    bigint_times(&difference, h->bins);
    bigint_subtract(&difference, edge);
    const bool is_edge = difference.words == 0;
    return is_edge ? i < h->bins : !difference.negative;
}

static bool is_key_from(const struct histogram *h, uint64_t key, size_t i,
                        const struct bigint *edge)
{
    const struct totals t = {.dtype = h->dtype};
    const struct value v = op_element_value(&t, rank_bits(h->dtype, key));
    return is_from(h, &v, i, edge);
}

/* The value of an end of the range, which has at most 64 bits, in f64. */
static double value_near(const struct value *v)
{
    const double size = (double)v->word[0];
    return v->kind == VALUE_REAL ? v->real : v->negative ? -size : size;
}

/* About edge i, computed in f64. */
static double edge_near(const struct histogram *h, size_t i)
{
    const double half = h->is_wider ? 0.5 : 0;
    const double low = value_near(&h->low) - half;
    const double high = value_near(&h->high) + half;
    return low + (high - low) * ((double)i / (double)h->bins);
}

/* A key that is likely to be near that of edge i. */
static uint64_t guess_key(const struct histogram *h, size_t i)
{
    const double x = edge_near(h, i), size = fabs(x);
    if (dtype_is_float(h->dtype))
        return rank_key(h->dtype, dtype_from_double(h->dtype, x));
    const uint64_t whole = size < 0x1p64 ? (uint64_t)size : 0;
    return rank_key(h->dtype, x < 0 ? 0 - whole : whole);
}

/* Finds the least key that is at or above edge i and not below `low`. False:
 * there is none. A comparison takes 0.2 us, so the search starts from a guess,
 * in steps that double until they pass the key, and then bisects. */
static bool find_key(const struct histogram *h, size_t i, uint64_t low,
                     uint64_t *key)
{
    struct bigint edge;
    const uint64_t greatest = rank_greatest_key(h->dtype);
    uint64_t high = greatest, at = guess_key(h, i), step = 1;
    edge_above(h, i, &edge);
    while (low < high) {
        at = at < low ? low : at >= high ? high - 1 : at;
        const bool is_from = is_key_from(h, at, i, &edge);
        if (is_from)
            high = at;
        else
            low = at + 1;
        at = (high - low) / 2 <= step ? low + (high - low) / 2
             : is_from                ? at - step
                                      : at + step;
        step = step >> 63 ? step : 2 * step;
    }
    *key = low;
    return low < greatest || is_key_from(h, low, i, &edge);
}

static void find_edges(struct histogram *h)
{
    uint64_t key = rank_least_key(h->dtype);
    size_t i = 0;
    h->edge[h->edges++] = key;
    while (i <= h->bins && find_key(h, i, key, &key)) {
        h->edge[h->edges++] = key;
        i++;
    }
    /* The keys of NaN are greater. */
    if (i > h->bins && dtype_is_float(h->dtype))
        h->edge[h->edges++] = rank_greatest_key(h->dtype) + 1;
    for (size_t k = h->edges; k < 2 * rank_half(h->bins + 3); k++)
        h->edge[k] = UINT64_MAX;
}

/* -0 and 0 are the same. */
static bool same_number(const struct value *a, const struct value *b)
{
    return value_same(a, b) || (a->kind == VALUE_REAL &&
                                b->kind == VALUE_REAL && a->real == b->real);
}

bool histogram_open(struct histogram *h, enum dtype dtype,
                    const struct value *low, const struct value *high,
                    size_t bins, struct error *e)
{
    *h = (struct histogram){.dtype = dtype,
                            .bins = bins,
                            .low = *low,
                            .high = *high,
                            .is_wider = same_number(low, high)};
    h->count = calloc(bins, sizeof *h->count);
    h->edge = malloc(2 * rank_half(bins + 3) * sizeof *h->edge);
    if (!h->count || !h->edge)
        return error_memory(e);
    find_edges(h);
    return true;
}

void histogram_close(struct histogram *h)
{
    free(h->count);
    free(h->edge);
    h->count = h->edge = NULL;
}

bool histogram_same(const struct histogram *a, const struct histogram *b)
{
    size_t i = 0;
    while (i < a->bins && a->bins == b->bins && a->count[i] == b->count[i])
        i++;
    return i == a->bins && a->bins == b->bins && a->below == b->below &&
           a->above == b->above && a->nans == b->nans;
}

struct rank_parts histogram_asks(const struct histogram *h)
{
    return (struct rank_parts){.bins = h->edges + 1,
                               .takes_wides = true,
                               .edge = h->edge,
                               .edges = h->edges};
}

/* The counter for values that the pass counted between two edges: below all
 * bins, in a bin, or above all. */
static uint64_t *place(struct histogram *h, size_t slot)
{
    return slot == 1             ? &h->below
           : slot <= h->bins + 1 ? &h->count[slot - 2]
                                 : &h->above;
}

void histogram_add(struct histogram *h, const struct ranks *left)
{
    const bool has_nan = dtype_is_float(h->dtype);
    for (size_t slot = 0; left->count && slot <= h->edges; slot++) {
        const bool is_nan = slot == 0 || (has_nan && slot == h->bins + 3);
        *(is_nan ? &h->nans : place(h, slot)) += left->count[slot];
    }
    histogram_add_wides(h, &left->wides);
}

void histogram_add_wides(struct histogram *h, const struct rank_wides *wides)
{
    for (size_t i = 0; i < wides->n; i++) {
        const struct wide_integer *w = &wides->at[i].value;
        const struct value v = value_integer(w->negative, w->magnitude, 0);
        size_t low = 0, high = h->bins + 1;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            struct bigint edge;
            edge_above(h, middle, &edge);
            if (is_from(h, &v, middle, &edge))
                low = middle + 1;
            else
                high = middle;
        }
        ++*place(h, low + 1);
    }
}

struct value histogram_edge(const struct histogram *h, size_t i,
                            struct decimals *decimals)
{
    struct bigint above, below;
    edge_above(h, i, &above);
    bigint_set(&below, h->bins);
    struct value value =
        real(finish_ratio(&above, &below, UNIT, false, decimals));
    if (decimals)
        value.text = decimals->text;
    return value;
}
