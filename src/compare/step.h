/* SPDX-License-Identifier: MIT */
/* Adds pairs of elements to a tally and to the exact sum of the squares of
 * their differences. */
#pragma once

#include "base/error.h"
#include "compare/number.h"
#include "compare/tally.h"
#include "reduce/state.h"

/* The type of differences: u64 for two 64-bit integers of one type, else
 * f64. */
enum dtype compare_unit(enum dtype a, enum dtype b);

/* Whether these are two different integer types, at least one of 64 bits:
 * differences are rounded to f64, but the greatest one is also kept exactly. */
bool compare_is_mixed(enum dtype a, enum dtype b);

/* Whether the distance of a pair of these types can be counted in steps: both
 * are integers, or floats of one type. */
bool compare_has_steps(enum dtype a, enum dtype b);

struct compare_stepper_options {
    enum dtype a, b;
    struct compare_tolerance tolerance;
    /* Returns the index of the pair at a place of the data. NULL: the place is
     * the index. */
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;
    bool portable; /* use the base loops on any processor */
};

/* Used by one thread. */
struct compare_stepper;

/* NULL: out of memory. */
struct compare_stepper *
compare_stepper_open(const struct compare_stepper_options *options,
                     struct error *e);
void compare_stepper_close(struct compare_stepper *s); /* NULL does nothing */

/* Adds n pairs, at any alignment, to *t, and the squares of their differences
 * to *squares, a state of MONOID_sumsq for compare_unit. `place` is the first
 * pair's. */
void compare_step(struct compare_stepper *s, struct compare_tally *t,
                  union state *squares, const void *a, const void *b, size_t n,
                  uint64_t place);

/* The same for one pair of numbers that the types cannot hold; the unit is
 * f64. */
void compare_step_numbers(struct compare_stepper *s, struct compare_tally *t,
                          union state *squares, const struct compare_number *a,
                          const struct compare_number *b, uint64_t place);
