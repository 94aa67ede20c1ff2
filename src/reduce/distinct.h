/* SPDX-License-Identifier: MIT */
/*
 * The distinct values or texts of a group and, if the job needs it, how often
 * each occurs. All workers of a run add to one set, the run's: a worker's state
 * is joined to it. The worker finds frequent values in a small table of its
 * own, and empties the table into the set when it is full. A state that is not
 * joined has a set of its own.
 *
 * Wide integers (reduce/wide.h) go to two more states, one for each sign, since
 * they are printed in full. One that f64 holds may be in `set`, too, if a cell
 * wrote it in another way: both are one value, which prints as an integer.
 * A state that finds no memory is lost: it keeps no more values.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/distinct_seen.h"
#include "reduce/dtype.h"
#include "reduce/wide.h"

struct column;
struct distinct_set;
struct distinct_mode;
struct distinct_front;
struct text_cell;

struct distinct {
    /* NULL: no value yet. A joined state borrows its total's. Atomic access. */
    struct distinct_set *set;
    struct distinct_front *front; /* of a joined state: the worker's table */
    struct distinct *total;       /* the state that it is joined to; or NULL */
    /* Integers that the states joined to this one have added; NULL: none yet.
     * Atomic access. */
    struct distinct_seen *seen;
    struct distinct_unseen unseen; /* of a joined state */
    /* [2]: states of positive and negative wide integers; NULL: no such integer
     * yet. Atomic access. */
    struct distinct *wide;
    uint64_t counted; /* values that are kept elsewhere, not in the set, ... */
    bool counted_nan; /* ... whether NaN is one of them, ... */
    const struct distinct_mode
        *mode;       /* ... and their mode, borrowed; or NULL */
    uint32_t slots;  /* most slots of the worker's table */
    bool has_counts; /* it counts how often each value occurs */
    uint8_t lost;    /* enum distinct_lost */
};

void distinct_init(struct distinct *d, bool has_counts);
void distinct_close(struct distinct *d);

/* Joins an empty state to another, `total`, which must outlive it: the state
 * then adds to the total's set. `groups`: how many such states a worker has.
 * Any thread. */
void distinct_join(struct distinct *d, struct distinct *total, size_t groups);

/* Adds to the total's set what a joined state has not yet added. Any thread. */
void distinct_flush(struct distinct *d);

/* Adds the values of `from`. If `from` is joined to `into`, these are the
 * values that it has not yet added. */
void distinct_merge(struct distinct *into, const struct distinct *from);

/* Adds a column's values or its texts. */
void distinct_add(struct distinct *d, const struct column *column);

/* A value and how often it occurs: a number; a wide integer; or a text. */
struct distinct_item {
    uint64_t key;   /* of a number (reduce/keys.h); of such an integer, that of
                       the greatest f64 that is not greater */
    uint64_t count; /* 1 if the state does not count */
    uint64_t wide;  /* the integer as two's complement without its sign, which
                       the key has; else 0 */
    const char *text; /* as distinct_text reads it, or NULL */
};
void distinct_put(struct distinct *d, enum dtype dtype,
                  const struct distinct_item *x);
void distinct_add_wide(struct distinct *d, struct wide_integer x);

/* Adds n <= KEYS_BLOCK keys (reduce/keys.h) of a computed dtype. `count` is
 * ignored if the state does not count. */
void distinct_put_numbers(struct distinct *d, enum dtype dtype,
                          const uint64_t *key, const uint64_t *count, size_t n);

/* Adds the number n of distinct values that are kept elsewhere, such as on a
 * device; has_nan: NaN is one of them. Any state that this one is merged with
 * must be empty. */
static inline void distinct_count(struct distinct *d, uint64_t n, bool has_nan)
{
    d->counted += n;
    d->counted_nan |= has_nan;
}

/* Returns why the state, or the set that it adds to, is lost: an enum
 * distinct_lost. */
int distinct_is_lost(const struct distinct *d);

/* The number of distinct values. All NaN are one value, which skip_nan leaves
 * out. Approximate while workers add to the set. */
uint64_t distinct_n(const struct distinct *d, enum dtype dtype, bool skip_nan);

/* The most frequent value. Among values that are equally frequent it is the
 * least, by value or by the bytes of a text, and NaN only if no number is as
 * frequent. */
struct distinct_mode {
    uint64_t count; /* how often it occurs; 0: there is no value */
    uint64_t ties;  /* values that occur as often, with this one */
    uint64_t bits;  /* the value, in the dtype, unless ... */
    /* ... this has a magnitude > 0: then it is an integer of text, ... */
    struct wide_integer wide;
    const char *text; /* ... or this is not NULL: a text of the state's */
    size_t bytes;     /* of the text */
};

struct distinct_mode distinct_most(const struct distinct *d, enum dtype dtype,
                                   bool skip_nan);
