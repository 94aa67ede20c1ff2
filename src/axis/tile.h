/* SPDX-License-Identifier: MIT */
/* A tile: some outputs while one thread reduces them. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "axis/axis.h"
#include "axis/box.h"
#include "axis/lanes.h"
#include "axis/quantiles.h"
#include "reduce/cpu/step.h"
#include "reduce/histogram.h"

/* The destination of a run's values. Threads set values of different outputs in
 * parallel. */
struct axis_sink {
    struct values *values;
    size_t first; /* index in `values` of the first output's first value */
    pthread_mutex_t lock; /* guards values that need memory of their own */
    /* Of histograms: elements in no bin. */
    _Atomic uint64_t outside, nans;
};

/* Makes room for the values of so many more outputs. False if they would take
 * too much memory. */
bool tile_extend(struct axis_sink *sink, const struct axis_job *job,
                 uint64_t outputs, struct error *e);

/* Only its thread uses it. */
struct tile {
    const struct axis_job *job;
    struct axis_sink *sink;
    struct stepper *stepper;
    struct lanes *lanes;
    struct quantiles *quantiles; /* NULL: the job asks for none */
    struct histogram bins;       /* of one output, if the job has a histogram */
    unsigned stepped; /* monoids that have states: all but those of quantiles */
    unsigned ordered; /* monoids that depend on the order of elements */
    char *gathered;   /* [PROD_LEAF] elements of one output, side by side */

    /* Set by tile_begin or tile_borrow. */
    bool borrows;         /* another tile owns the fields up to `waiting` */
    uint64_t output;      /* number of the tile's first output */
    struct states states; /* [outputs] */
    /* Elements of each output that wait until a leaf of the product's tree is
     * whole. [outputs]; NULL unless a monoid is ordered. */
    struct leaf {
        size_t n;       /* elements that wait */
        uint64_t first; /* number of the first of them among the output's */
    } * leaf;
    char *waiting; /* [outputs][PROD_LEAF], those elements */

    /* Set by tile_whole: whether its part failed, and how. */
    bool failed;
    struct error error;
};

/* False if memory ran out. */
bool tile_open(struct tile *t, const struct axis_job *job,
               struct axis_sink *sink, struct error *e);
void tile_close(struct tile *t);

/* Empties the tile for outputs [output, output + outputs). */
bool tile_begin(struct tile *t, uint64_t output, size_t outputs,
                struct error *e);

/* Gives a tile the outputs of another, which keeps them until this one begins
 * or borrows again, or is closed. Both may add, at the same time to different
 * outputs. */
void tile_borrow(struct tile *t, const struct tile *from);

/* Adds a part of the array, whose rows are `pitch` bytes apart, to the tile's
 * outputs. The caller adds the elements of an output in their order. */
void tile_add(struct tile *t, const struct part *p, const char *data,
              size_t pitch);

/* Reduces a part that has all elements of its outputs, and sets the outputs'
 * values. Needs no tile_begin. */
bool tile_whole(struct tile *t, const struct part *p, const char *data,
                size_t pitch, struct error *e);

/* Call it after the last tile_add: completes the states. */
void tile_end(struct tile *t);

/* Sets the values of the tile's outputs from states, which are the tile's own
 * or others of as many outputs. */
bool tile_finish(struct tile *t, const struct states *states, struct error *e);

/* As tile_finish, with the tile's own states, for its outputs [first, end).
 * Call it only once for a tile, since it moves the tile's first output. */
bool tile_finish_some(struct tile *t, size_t first, size_t end,
                      struct error *e);

/* The parts of tile_add and tile_whole. tile_lanes returns the lanes of a box
 * from `from` on, as many as are reduced at a time. tile_add_slowly adds a box
 * to the states, without the monoids that the loops over lanes have already
 * computed for clean lanes. */
struct box tile_lanes(const struct tile *t, const struct box *b, size_t from);
void tile_add_slowly(struct tile *t, const struct box *b);

/* The schema of the states of so many outputs, and the monoids that depend on
 * the order of elements. */
struct schema tile_schema(const struct axis_job *job, size_t outputs);
unsigned tile_ordered(const struct axis_job *job);

/* Bytes that a tile takes for each output, and the best number of outputs. */
size_t tile_bytes(const struct axis_job *job);
size_t tile_outputs(const struct axis_job *job);

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t ceiling(uint64_t a, uint64_t b)
{
    return a / b + (a % b > 0);
}
