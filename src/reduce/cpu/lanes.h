/* SPDX-License-Identifier: MIT */
/*
 * Many outputs side by side, one a lane: for arrays that are reduced along an
 * axis. What is added is a block of `steps` x `lanes` elements; either those of
 * a step lie side by side, and steps are `pitch` bytes apart, or those of a
 * lane do ("rows"), and lanes are.
 *
 * Sums are f64 and begin with -0. They are exact where no addition rounded, as
 * the processor's flag tells.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"

/* What is added of an element. */
enum lane_map { LANE_VALUE, LANE_MAGNITUDE, LANE_SQUARE, LANE_MAPS };

/* [lanes] each. */
struct lane_sums {
    double *sum;
    double *rest;  /* what the additions to `sum` have lost, ... */
    double *bound; /* ... and the most that those to `rest` have */
};

/* [lanes] each: int32_t and uint32_t, of elements of 64 bits int64_t and
 * uint64_t. A key orders elements as an integer; -0 has that of +0. */
struct lane_extrema {
    void *key;
    void *at; /* the first step that has it */
};

enum lane_side { LANE_LEAST, LANE_GREATEST, LANE_SIDES };

struct lane_block {
    const char *data;
    size_t steps, lanes, pitch;
};

typedef bool lane_sum_fn(const struct lane_sums *s, const struct lane_block *b);
typedef void lane_extrema_fn(const struct lane_extrema *x,
                             const struct lane_block *b);

struct lane_loops {
    /* Add a block, a block of rows, and a block with what is lost. False where
     * an addition rounded: the sums are of no use then. NULL: there are no
     * such loops. add_all is only of floats; the others of 64-bit integers add
     * the lower halves to `rest`. */
    lane_sum_fn *add[LANE_MAPS], *add_rows[LANE_MAPS], *add_all[LANE_MAPS];
    /* Set them to those of a block, of fewer than 2^31 steps. */
    lane_extrema_fn *extrema[LANE_SIDES], *extrema_rows[LANE_SIDES];
    /* Makes columns of rows without gaps: to[steps][lanes]. */
    void (*turn)(void *to, const struct lane_block *b);
    /* The key of infinity, beyond which are those of NaN; 0: none is. */
    int64_t inf;
};
