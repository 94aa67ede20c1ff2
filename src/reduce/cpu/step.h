/* SPDX-License-Identifier: MIT */
/* Adds the values of columns to the states of their groups: every monoid of a
 * set, in blocks that stay in cache while all of them pass over it. */
#pragma once

#include "base/error.h"
#include "reduce/column.h"
#include "reduce/cpu/accumulator.h"
#include "reduce/states.h"

/* For columns of one dtype, and for one thread. */
struct stepper {
    enum dtype dtype;
    const struct cpu_loops *loops;
    /* The state of the monoid that depends on the order of the data, which is
     * kept apart from the others; NULL: that one is not stepped. */
    union state *ordered;
    union state local[MONOIDS_END];
    double wide[PROD_LEAF]; /* elements of a stored type, widened */
    /* Of each monoid of the set that has loops: in `accumulators`, which are
     * 130 KiB each. Else NULL. */
    struct accumulator *of[MONOIDS_END];
    struct accumulator accumulators[];
};

/* What does not follow from the values. */
struct stepper_options {
    bool fast;     /* float sums may round within blocks */
    bool portable; /* the base loops, whatever the machine has */
    /* As those of struct accumulator. */
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;
};

/* NULL: no memory. */
struct stepper *stepper_open(unsigned set, enum dtype dtype,
                             const struct stepper_options *options,
                             struct error *e);
void stepper_close(struct stepper *s);

/* Where the rows of a column are in the data. */
struct rows_place {
    uint64_t first; /* row i has the position `first + i` */
    bool follows;   /* behind all rows that the states have seen */
};

/* Adds a column to the states of a group: its counts, its wide integers, and
 * its values to those of the set. A product of floats wants `first` to be a
 * multiple of PROD_LEAF, and rows that follow. */
void stepper_add(struct stepper *s, unsigned set, const struct column *column,
                 struct rows_place place, struct states *states, size_t group);

/* Adds a column's values to those monoids of the set whose state is
 * s->ordered, and counts nothing. */
void stepper_add_ordered(struct stepper *s, unsigned set,
                         const struct column *column, struct rows_place place);
