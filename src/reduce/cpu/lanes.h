/* SPDX-License-Identifier: MIT */
/*
 * Loops for arrays that are reduced along an axis. They compute many outputs
 * side by side; each output is a lane. A block has `steps` x `lanes` elements,
 * and each step adds one element to each lane. The block has one of two
 * layouts:
 *
 *     columns  the elements of a step are adjacent; steps are `pitch` bytes
 *              apart
 *     rows     the elements of a lane are adjacent; lanes are `pitch` bytes
 *              apart
 *
 * Sums are f64 and start at -0. A sum is exact if none of its additions
 * rounded; the processor's inexact flag says so (inexact.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"

/* What is added for an element. */
enum lane_map { LANE_VALUE, LANE_MAGNITUDE, LANE_SQUARE, LANE_MAPS };

/* Arrays [lanes], owned by the caller. */
struct lane_sums {
    double *sum;
    double *rest;  /* the sum of the rounding errors of `sum` */
    double *bound; /* at least the sum of the rounding errors of `rest` */
};

/* Arrays [lanes], owned by the caller. Integers order the keys as the elements
 * are ordered; -0 has the key of +0. Those of Inf are inf_bits and
 * -inf_bits - 1; those of NaN lie outside. */
struct lane_extrema {
    void *key; /* int32_t; for elements of 64 bits int64_t */
    void *at;  /* the first step with that key: uint32_t or uint64_t */
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
    /* `add` adds a block of columns to the sums, and `add_all` with the
     * rounding errors; `add_rows` sets the sums to those of rows. They return
     * false if an addition rounded; the sums are then invalid. NULL: there is
     * no such loop. Only floats have add_all. For 64-bit integers, the other
     * two add the lower halves to `rest`. */
    lane_sum_fn *add[LANE_MAPS], *add_rows[LANE_MAPS], *add_all[LANE_MAPS];
    /* Set the lanes to the extremes of a block of fewer than 2^31 steps. */
    lane_extrema_fn *extrema[LANE_SIDES], *extrema_rows[LANE_SIDES];
    /* Transposes a block of adjacent rows to to[steps][lanes]. */
    void (*turn)(void *to, const struct lane_block *b);
};
