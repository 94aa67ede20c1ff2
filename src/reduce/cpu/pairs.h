/* SPDX-License-Identifier: MIT */
/*
 * Adds the values of two columns to the states of their pair, from the rows in
 * which both columns have a value. All columns of a chunk are kept first, then
 * each pair is stepped. If neither column of a pair has gaps, only the products
 * are computed for the pair: the sums of a column alone are computed once for
 * all its pairs.
 *
 * Pairs of numbers are added exactly. Other pairs are counted: those with NaN
 * in the `nan` of every sum, those with Inf by the sign of their product, where
 * 0 * Inf counts as both signs.
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

/* Starts a chunk of so many rows. False if memory ran out. */
bool pairs_begin(struct pairs *p, size_t rows, struct error *e);

/* Keeps a column of the chunk, of any dtype that text can have. False if memory
 * ran out. */
bool pairs_keep(struct pairs *p, size_t number, const struct column *column,
                struct error *e);

/* Adds a pair of kept columns to the group's states, which have the layouts of
 * f64. `first` is the position of the chunk's first row. */
void pairs_add(struct pairs *p, struct column_pair pair, uint64_t first,
               struct states *states, size_t group);
