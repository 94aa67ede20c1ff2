/* SPDX-License-Identifier: MIT */
/*
 * Integers of over 2^53, most of which f64 cannot hold, among the f64 values of
 * a text column; all of them are printed in full. They are stepped into the
 * column's exact states, which are sums of real numbers; least, greatest, first
 * and last are kept here, since the states' are f64.
 *
 * Few columns have any. A compact state, which each group has, owns a dense one
 * from its first integer on. Where there is no memory for that, the state is
 * lost, for good, and says so.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/extrema.h"

struct wide_integer {
    uint64_t magnitude; /* over 2^53; 0: there is none */
    uint64_t index;
    bool negative;
};

struct wide {
    uint64_t rounded; /* integers that f64 cannot hold, and that were rounded */
    /* Of a compact state, which ends with this: where its integers are, or
     * NULL, or &wide_lost. Of a dense one: &wide_here. */
    struct wide *elsewhere;
    struct wide_integer min, max, absmin, absmax, first, last;
};

extern struct wide wide_here, wide_lost;

/* Without integers: dense, and compact. */
void wide_init(struct wide *w);
void wide_init_compact(struct wide *w);

/* Frees what a compact state owns. */
void wide_close(struct wide *w);

/* The dense state in which the integers are; NULL: there are none. */
static inline struct wide *wide_whole(const struct wide *w)
{
    return w->elsewhere == &wide_here ? (struct wide *)w : w->elsewhere;
}

/* Makes a dense copy. */
void wide_copy(struct wide *to, const struct wide *from);

/* What is lost in either is lost in into. */
void wide_merge(struct wide *into, const struct wide *from);

/* Adds an integer. */
void wide_keep(struct wide *w, struct wide_integer x);

/* -1, 0 or 1 as the integer compares with x, which is no NaN. */
int wide_compare(const struct wide_integer *w, double x);
