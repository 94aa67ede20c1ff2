/* SPDX-License-Identifier: MIT */
/*
 * The distinct values of a group, or texts, and how often each comes if that is
 * asked for. A state on its own has a set. A worker's state that was joined to
 * the run's adds to the run's set: values that come again and again are found
 * in a small table of the worker, which it empties into the set when it is
 * full.
 *
 * Integers of text that f64 cannot hold are values of two more states, by their
 * sign. A state that finds no memory is lost, and keeps no more.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/wide.h"

struct column;
struct distinct_set;
struct distinct_front;
struct text_cell;

struct distinct {
    struct distinct_set *set;     /* NULL: no value was seen. Of a joined state
                                   * borrowed. Atomic */
    struct distinct_front *front; /* the worker's table, of a joined state */
    struct distinct *total;       /* the state that it was joined to; or NULL */
    struct distinct *wide;        /* [2]: positive, negative; or NULL. Atomic */
    uint64_t counted; /* values that a device has, not the set, ... */
    bool counted_nan; /* ... and whether NaN is one of them */
    uint32_t slots;   /* of the worker's table, at most */
    bool has_counts;
    uint8_t lost; /* enum distinct_lost */
};

void distinct_init(struct distinct *d, bool has_counts);
void distinct_close(struct distinct *d);

/* Lets an empty state add to the set of another, which must outlive it, and is
 * one of so many that a worker has. Any thread. */
void distinct_join(struct distinct *d, struct distinct *total, size_t groups);

/* Adds what `from` keeps for itself; of one joined to `into`, that is what it
 * has not yet added. */
void distinct_merge(struct distinct *into, const struct distinct *from);

/* Adds a column's values or its texts. */
void distinct_add(struct distinct *d, const struct column *column);
void distinct_add_wide(struct distinct *d, struct wide_integer x);

/* Adds the number of values that a device has, and whether NaN is one of them.
 * No other state that it is merged with has any values. */
void distinct_count(struct distinct *d, uint64_t n, bool has_nan);

/* enum distinct_lost: of the state, or of the set that it adds to. */
int distinct_is_lost(const struct distinct *d);

/* How many distinct values there are: with NaN as one of them, or without.
 * While workers add to the set, about. */
uint64_t distinct_n(const struct distinct *d, enum dtype dtype, bool skip_nan);

/* The most frequent value; of several, the least, and NaN only where no number
 * is as frequent; of texts the least by its bytes. */
struct distinct_mode {
    uint64_t count;           /* 0: there is no value */
    uint64_t bits;            /* of a number of the dtype, ... */
    struct wide_integer wide; /* ... or of magnitude > 0, an integer of text */
    const char *text;         /* borrowed; or NULL */
    size_t bytes;             /* of the text */
};

struct distinct_mode distinct_most(const struct distinct *d, enum dtype dtype,
                                   bool skip_nan);
