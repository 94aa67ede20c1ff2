/* SPDX-License-Identifier: MIT */
/*
 * Integers above 2^53, most of which f64 cannot hold, among the f64 values of a
 * text column. They are printed in full. The column's exact sums include them.
 * The least, greatest, first and last of them are kept here, since those states
 * hold only f64.
 *
 * Few columns have such integers. A compact state owns a dense one from its
 * first integer on. If memory for that runs out, the state is lost from then
 * on.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/extrema.h"

struct wide_integer {
    uint64_t magnitude; /* above 2^53; 0: there is no integer */
    uint64_t index;     /* of its record, or its position */
    bool negative;
};

struct wide {
    uint64_t rounded; /* integers that f64 cannot hold and that were rounded */
    /* &wide_here: the state is dense. Otherwise it is compact and ends with
     * this field: its dense state, owned; NULL: no integers; &wide_lost: it is
     * lost. */
    struct wide *elsewhere;
    struct wide_integer min, max, absmin, absmax, first, last;
};

extern struct wide wide_here, wide_lost;

/* Make a dense and a compact state without integers. */
void wide_init(struct wide *w);
void wide_init_compact(struct wide *w);

/* Frees what a compact state owns. */
void wide_close(struct wide *w);

/* The dense state with the integers; NULL: there are none. */
static inline struct wide *wide_whole(const struct wide *w)
{
    return w->elsewhere == &wide_here ? (struct wide *)w : w->elsewhere;
}

/* Makes a dense copy. */
void wide_copy(struct wide *to, const struct wide *from);

/* into += from. If either is lost, so is the result. */
void wide_merge(struct wide *into, const struct wide *from);

/* Adds an integer. */
void wide_keep(struct wide *w, struct wide_integer x);

/* The nearest f64. */
double wide_nearest(const struct wide_integer *w);

/* How many of n integers f64 cannot hold. */
size_t wide_inexact(const struct wide_integer *w, size_t n);

/* Returns -1, 0 or 1: the integer is less than, equal to or greater than x. x
 * is not NaN. */
int wide_compare(const struct wide_integer *w, double x);
