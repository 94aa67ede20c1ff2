/* SPDX-License-Identifier: MIT */
/* Adds pairs of elements to a tally and to the exact sum of the squares of
 * their differences. */
#pragma once

#include "base/error.h"
#include "compare/number.h"
#include "compare/tally.h"
#include "reduce/state.h"

/* What differences are: u64 of 64-bit integers, else f64. */
enum dtype compare_unit(enum dtype a, enum dtype b);

/* Whether these are two integer types of which one has 64 bits: differences are
 * rounded, but the greatest one is kept exactly, too. */
bool compare_is_mixed(enum dtype a, enum dtype b);

/* Whether pairs of these types have a distance in steps. */
bool compare_has_steps(enum dtype a, enum dtype b);

struct compare_stepper_options {
    enum dtype a, b;
    struct compare_tolerance tolerance;
    /* The index of a pair whose place is known; NULL: the place is the index.
     */
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;
    bool portable; /* the base loops, whatever the machine has */
};

/* Of one thread. */
struct compare_stepper;

/* NULL: no memory. */
struct compare_stepper *
compare_stepper_open(const struct compare_stepper_options *options,
                     struct error *e);
void compare_stepper_close(struct compare_stepper *s); /* NULL will do */

/* Adds n pairs, at any alignment, of which the first has this place. The
 * squares are a state of MONOID_sumsq and the unit. */
void compare_step(struct compare_stepper *s, struct compare_tally *t,
                  union state *squares, const void *a, const void *b, size_t n,
                  uint64_t place);

/* The same of one pair of numbers that the types cannot hold. The unit is f64.
 */
void compare_step_numbers(struct compare_stepper *s, struct compare_tally *t,
                          union state *squares, const struct compare_number *a,
                          const struct compare_number *b, uint64_t place);
