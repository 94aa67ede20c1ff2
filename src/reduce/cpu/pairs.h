/* SPDX-License-Identifier: MIT */
/*
 * Adds the values of two columns to the states of their pair: those of the rows
 * in which both columns have one. A chunk's columns are kept side by side, row
 * by row; then each pair is stepped. Where neither column of a pair has gaps,
 * only the products are its own work: the sums of either column are made once
 * for all its pairs.
 *
 * A pair of numbers steps the sums exactly. Of other pairs there are counts: of
 * those with a NaN in every sum's `nan`, of those with an Inf in the signs of
 * their product, where 0 * Inf has both signs.
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

/* For one thread. NULL: no memory. */
struct pairs *pairs_open(const struct pairs_options *options, struct error *e);
void pairs_close(struct pairs *p);

/* Starts a chunk of so many rows. False where there is no memory. */
bool pairs_begin(struct pairs *p, size_t rows, struct error *e);

/* Keeps a column of the chunk, which may be of any dtype that text has. False
 * where there is no memory. */
bool pairs_keep(struct pairs *p, size_t number, const struct column *column,
                struct error *e);

/* Adds a pair of columns that were kept to the group's states, which have the
 * layouts of f64. `first`: the position of the chunk's first row. */
void pairs_add(struct pairs *p, struct column_pair pair, uint64_t first,
               struct states *states, size_t group);
