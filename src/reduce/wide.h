/* SPDX-License-Identifier: MIT */
/*
 * Integers of over 2^53, most of which f64 cannot hold, among the f64 values of
 * a text column; all of them are printed in full. They are stepped into the
 * column's exact states, which are sums of real numbers; least, greatest, first
 * and last are kept here, since the states' are f64.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/state.h"

struct wide_integer {
    uint64_t magnitude; /* over 2^53; 0: there is none */
    uint64_t index;     /* of its record */
    bool negative;
};

struct wide {
    struct wide_integer min, max, absmin, absmax, first, last;
};

/* Steps one into the states, of f64, of the monoids of a set, and into w. The
 * counts of values are the caller's. */
void wide_step(struct wide *w, struct state *states, unsigned monoids,
               struct wide_integer x);

/* Appends `from`, whose indexes count from `records` on. */
void wide_merge(struct wide *into, const struct wide *from, uint64_t records);

/* -1, 0 or 1 as the integer compares with x, which is no NaN. */
int wide_compare(const struct wide_integer *w, double x);
