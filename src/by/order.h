/* SPDX-License-Identifier: MIT */
/* Sorts the keys for printing, and reads their records as the operations need
 * them. */
#pragma once

#include "by/groups.h"
#include "reduce/distinct.h"
#include "reduce/ranks.h"
#include "reduce/op.h"

/* The place of a record: a table of struct groups, and the record there. */
struct by_place {
    uint16_t table;
    uint16_t bytes; /* of the key's text in its item; 0: it is not there */
    uint32_t id;
};

/* The classes of key texts, in the order in which they are sorted. Within a
 * class, numbers are sorted by value and then by bytes; NaN and texts are
 * sorted by bytes. */
enum key_class { KEY_NUMBER, KEY_NAN, KEY_TEXT, KEY_MISSING, KEY_CLASSES };

/* The value of a key that is a number: the sum of the two. */
struct key_number {
    double nearest;
    int64_t rest; /* 0 but for integers that f64 cannot hold */
};

/* Returns the class of a text of a column of the key that is not empty, and
 * sets *number if it is one. Any thread may call it. Where one is taken, NULL
 * calls all texts KEY_TEXT. */
typedef enum key_class classify_fn(const void *context, size_t column,
                                   struct text_cell text,
                                   struct key_number *number);

/* Two words, the first of more weight, have the order of the numbers. */
struct key_words {
    uint64_t nearest, rest;
};

/* The class of any text. Sets *words if it is a number. */
enum key_class order_class(classify_fn *classify, const void *context,
                           size_t column, struct text_cell text,
                           struct key_words *words);

/* A key that is sorted. */
struct by_item {
    uint64_t word;         /* what it was sorted by last; or its text */
    struct by_place place; /* of its record */
};

struct by_order {
    struct by_item *item; /* [n], counted by base/memory.h */
    size_t n;
};

/* Sorts all keys by their columns, or with spec.is_first by their first rows.
 * False, with the error, if memory ran out. */
bool order_make(struct by_order *o, struct groups *g, classify_fn *classify,
                const void *context, unsigned threads, struct error *e);
void order_free(struct by_order *o);

/* Prefetches the record of a key some places after number i: records that are
 * neighbours in the order of keys lie far apart in memory. GCC takes a call of
 * a function that does no more for one without effect, and leaves it out. */
static inline __attribute__((always_inline)) void
order_prefetch(const struct groups *g, const struct by_order *o, size_t i)
{
    enum { AHEAD = 12 };
    if (i + AHEAD < o->n) {
        /* Another thread may set p->bytes. */
        const struct by_place *p = &o->item[i + AHEAD].place;
        __builtin_prefetch(table_record(&g->part[p->table].table, p->id));
    }
}

/* Copies the text of a key to its item, if it is one column of at most eight
 * bytes, so that order_text need not fetch the record. */
void order_keep(const struct groups *g, struct by_item *item);

/* The text of a column of an item, which must outlive it. */
struct text_cell order_text(const struct groups *g, const struct by_item *item,
                            size_t column);

/* The text of a column of a key; empty if it is missing. The record must
 * outlive it. */
struct text_cell order_key(const struct groups *g, struct by_place place,
                           size_t column);

/* What the operations ask of kept values. */
struct by_asked {
    const struct op *const *op; /* [ops] */
    size_t ops;
    enum interpolation interpolation;
    bool skips_nan;
};

/* States made from a record, which struct totals points to. Used by one thread
 * for one record after another. */
struct by_reading {
    const struct by_asked *asked; /* set by the caller; borrowed */
    union state sum, ranks, distinct;
    struct wide none;                                /* empty */
    struct distinct_mode mode;                       /* of `distinct` */
    struct rank_found found[OPS_MAX * OP_RANKS_MAX]; /* of `ranks` */
};

/* Sets the counts and states in *totals from a column of a record; only the
 * counts if the layout has no columns. The caller has set reading->asked. */
void by_read(const struct groups *g, struct by_place place, size_t column,
             struct by_reading *reading, struct totals *totals);

/* Sets *sum to the sum of a column of f64, if by_read is not needed for it. */
bool by_read_sum(const struct groups *g, struct by_place place, size_t column,
                 double *sum);

/* The state of the monoid `ranks` of a column of a record. Sets *n to the
 * number of the column's values. */
const struct ranks *by_read_ranks(const struct groups *g, struct by_place place,
                                  size_t column, uint64_t *n);

/* The part of by_read that reads kept values. */
void by_read_values(const struct by_table *t, uint32_t id, size_t column,
                    struct by_reading *r, struct totals *totals);
