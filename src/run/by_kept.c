/* SPDX-License-Identifier: MIT */
#include "run/by_kept.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/cpu/accumulator.h"
#include "reduce/cpu/pairs.h"
#include "run/by_folds.h"

struct by_kept {
    const struct pairing *pairing; /* its kind is PAIRING_NONE: a product */
    struct pairs *pairs;           /* owned, of two columns; or NULL */
    struct states states;          /* of one pair */
    struct by_block block[2];
    const struct cpu_loops *loops;
    union state product;
    uint64_t leaf[PROD_LEAF];
};

struct by_kept *by_kept_open(const struct plan *plan, const struct dataset *d,
                             struct error *e)
{
    const unsigned set = plan->monoids & ~MONOID_BIT(wide);
    const struct schema schema = {.groups = 1, .dtype = DTYPE_f64};
    const struct pairs_options options = {set, 2, d->job.portable};
    struct by_kept *k = calloc(1, sizeof *k);
    if (!k)
        return error_memory(e);
    k->pairing = dataset_pairing(d);
    k->loops = d->job.portable ? &cpu_loops_base : cpu_loops(0);
    if (k->pairing->kind == PAIRING_NONE ||
        (states_open(&k->states, &schema, set, e) &&
         (k->pairs = pairs_open(&options, e))))
        return k;
    by_kept_close(k);
    return NULL;
}

void by_kept_close(struct by_kept *k)
{
    if (!k)
        return;
    pairs_close(k->pairs);
    states_close(&k->states);
    free(k);
}

/* Multiplies the values of a column of a key: the first leaf has its first
 * values, as if the data had no other keys. */
static void multiply(struct by_kept *k, const struct by_table *t, uint32_t id,
                     size_t column)
{
    const enum dtype dtype = t->layout->dtype;
    const size_t size = dtype_size(dtype);
    const uint8_t *absent;
    size_t rows, n = 0;
    uint64_t first = 0;
    const uint64_t *bits = by_values_in_order(t, id, column, &rows, &absent);
    struct accumulator a;
    accumulator_init(&a, MONOID_prod, dtype);
    prod_init(&k->product.prod);
    for (size_t i = 0; i < rows; i++) {
        if (!(absent && absent[i]))
            memcpy((char *)k->leaf + n++ * size, &bits[i], size);
        if (n == 0 || (n < PROD_LEAF && i + 1 < rows))
            continue;
        accumulator_begin(&a, &k->product);
        k->loops->run[MONOID_prod][dtype](&a, k->leaf, n, first);
        accumulator_end(&a);
        first += n;
        n = 0;
    }
}

/* Adds the values of two columns of a key. */
static bool add_pair(struct by_kept *k, const struct by_table *t, uint32_t id,
                     struct column_pair pair, struct error *e)
{
    const size_t number[2] = {pair.first, pair.second};
    const uint8_t *absent[2];
    const uint64_t *bits[2];
    size_t rows = 0;
    bool ok = true;
    for (int i = 0; i < 2; i++)
        bits[i] = by_values_in_order(t, id, number[i], &rows, &absent[i]);
    for (size_t at = 0; ok && at < rows; at += FOLD_BLOCK) {
        const size_t n = rows - at < FOLD_BLOCK ? rows - at : FOLD_BLOCK;
        ok = pairs_begin(k->pairs, n, e);
        for (size_t i = 0; ok && i < 2; i++) {
            const struct column c =
                by_block_column(&k->block[i], t->layout->dtype, bits[i] + at,
                                absent[i] ? absent[i] + at : NULL, n);
            ok = pairs_keep(k->pairs, i, &c, e);
        }
        if (ok)
            pairs_add(k->pairs, (struct column_pair){0, 1}, at, &k->states, 0);
    }
    return ok;
}

bool by_kept_read(struct by_kept *k, const struct groups *g,
                  struct by_place place, size_t row, struct totals *totals,
                  struct error *e)
{
    const struct by_table *t = &g->part[place.table].table;
    const struct tally *tally = k->states.tally;
    if (!k->pairs) {
        multiply(k, t, place.id, row);
        totals->state[MONOID_prod] = &k->product;
        return true;
    }
    states_clear(&k->states);
    if (!add_pair(k, t, place.id, pairing_at(k->pairing, row), e))
        return false;
    if (states_lost(&k->states))
        return error_memory(e);
    totals->n = tally->n;
    totals->missing = tally->missing;
    totals->bad = tally->bad;
    for (int m = 0; m < MONOIDS_END; m++)
        totals->state[m] =
            k->states.bank[m] ? states_at(&k->states, 0, m) : NULL;
    return true;
}
