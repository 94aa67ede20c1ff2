/* SPDX-License-Identifier: MIT */
/* The order in which keys are printed, and what is read of each. */
#pragma once

#include "by/groups.h"
#include "reduce/distinct.h"
#include "reduce/ranks.h"
#include "reduce/op.h"

/* Where a record is. */
struct by_place {
    uint32_t table, id;
};

/* What the text of a key is, in the order in which texts are sorted: numbers by
 * value and then by bytes, NaN and texts by bytes. */
enum key_class { KEY_NUMBER, KEY_NAN, KEY_TEXT, KEY_MISSING, KEY_CLASSES };

/* Says what a text is that is not empty, and sets the value of a number. Any
 * thread. */
typedef enum key_class classify_fn(const void *context, struct text_cell text,
                                   double *value);

struct by_order {
    struct by_place *place; /* [n], counted by base/memory.h */
    size_t n;
};

/* Sorts all keys by their columns, or with spec.is_first by their first row.
 * False, with the error: no memory. */
bool order_make(struct by_order *o, struct groups *g, classify_fn *classify,
                const void *context, unsigned threads, struct error *e);
void order_free(struct by_order *o);

/* Fetches the record of a key some places after number i: in the order of keys
 * each record is far from the last. */
static inline void order_prefetch(const struct groups *g,
                                  const struct by_order *o, size_t i)
{
    enum { AHEAD = 12 };
    if (i + AHEAD < o->n) {
        const struct by_place p = o->place[i + AHEAD];
        __builtin_prefetch(table_record(&g->part[p.table].table, p.id));
    }
}

/* The text of a column of a key; empty: it is missing. The record must stay. */
struct text_cell order_key(const struct groups *g, struct by_place place,
                           size_t column);

/* What is asked of values that are kept. */
struct by_asked {
    const struct op *const *op; /* [ops] */
    size_t ops;
    enum interpolation interpolation;
    bool skips_nan;
};

/* Memory for states that are read. */
struct by_reading {
    const struct by_asked *asked;
    union state sum, ranks, distinct;
    struct wide none;
    struct distinct_mode mode;
    struct rank_found found[OPS_MAX * OP_RANKS_MAX];
};

/* Sets counts and states of a column of a record; of none, where there is no
 * column, only the counts. reading->asked is set. by_read_end frees what the
 * reading owns. */
void by_read(const struct groups *g, struct by_place place, size_t column,
             struct by_reading *reading, struct totals *totals);

/* What the monoid `ranks` counted of a column of a record, and how many values
 * the column has. */
const struct ranks *by_read_ranks(const struct groups *g, struct by_place place,
                                  size_t column, uint64_t *n);

/* by_read for values that are kept. */
void by_read_values(const struct by_table *t, uint32_t id, size_t column,
                    struct by_reading *r, struct totals *totals);
void by_read_end(struct by_reading *reading);
