/* SPDX-License-Identifier: MIT */
/*
 * Adds the values of two columns to the states of their pair. Only rows in
 * which both columns have a value count. The caller first keeps all columns of
 * a chunk, then adds each pair. If neither column of a pair has gaps, only the
 * products are computed for the pair; the sums of a single column are computed
 * once for all its pairs.
 *
 * Pairs of numbers are added exactly. A pair with NaN is counted in the `nan`
 * of every sum, a pair with Inf by the sign of its product; 0 * Inf counts as
 * both signs.
 */
#pragma once

#include "base/error.h"
#include "reduce/column.h"
#include "reduce/pairing.h"
#include "reduce/states.h"

struct pairs;

struct pairs_options {
    unsigned set; /* of monoids: count, and the sums of values and of pairs */
    size_t columns;
    bool portable; /* the base loops, whatever the machine has */
};

/* Makes the state of one thread. NULL: no memory. */
struct pairs *pairs_open(const struct pairs_options *options, struct error *e);
void pairs_close(struct pairs *p);

/* Starts a chunk of `rows` rows. False if memory ran out. */
bool pairs_begin(struct pairs *p, size_t rows, struct error *e);

/* Keeps a column of the chunk, of any dtype that text can have. False if memory
 * ran out. */
bool pairs_keep(struct pairs *p, size_t number, const struct column *column,
                struct error *e);

/* Adds a pair of kept columns to the group's states, which have the layouts of
 * f64. `first` is the position of the chunk's first row. */
void pairs_add(struct pairs *p, struct column_pair pair, uint64_t first,
               struct states *states, size_t group);
