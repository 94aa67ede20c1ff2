/* SPDX-License-Identifier: MIT */
/* Adds the values of columns to the states of their groups. The loops of all
 * monoids of a set pass over a block while it is in cache. */
#pragma once

#include "base/error.h"
#include "reduce/column.h"
#include "reduce/cpu/accumulator.h"
#include "reduce/states.h"

/* For columns of one dtype. One thread uses it. */
struct stepper {
    enum dtype dtype;
    const struct cpu_loops *loops;
    /* The state of the monoid that depends on order. The caller sets it before
     * each call and owns it; the group's states do not have it. NULL: that
     * monoid is not stepped. */
    union state *ordered;
    /* As in stepper_options. */
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;
    union state local[MONOIDS_END];
    double wide[PROD_LEAF]; /* scratch: elements of a stored type, widened */
    /* One for each monoid of the set with loops, of 130 KiB; else NULL. */
    struct accumulator *of[MONOIDS_END];
    struct accumulator accumulators[];
};

struct stepper_options {
    bool fast;     /* float sums may round within blocks */
    bool portable; /* the base loops, whatever the machine has */
    /* See struct accumulator. */
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;
};

/* Makes a stepper, for stepper_close. NULL: no memory. */
struct stepper *stepper_open(unsigned set, enum dtype dtype,
                             const struct stepper_options *options,
                             struct error *e);
void stepper_close(struct stepper *s);

/* The place of a column's rows in the data. */
struct rows_place {
    uint64_t first; /* row i has the position `first + i` */
    bool follows;   /* all rows that the states have seen come before */
};

/* Adds a column to the states of a group: its counts, its wide integers, and
 * its values to the monoids of the set. If the set has a product of floats,
 * `first` must be a multiple of PROD_LEAF, and `follows` must be true. */
void stepper_add(struct stepper *s, unsigned set, const struct column *column,
                 struct rows_place place, struct states *states, size_t group);

/* Adds a column's values to s->ordered only. Changes no counts. */
void stepper_add_ordered(struct stepper *s, unsigned set,
                         const struct column *column, struct rows_place place);
