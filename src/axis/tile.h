/* SPDX-License-Identifier: MIT */
/* Some outputs while they are reduced, by one thread. */
#pragma once

#include <pthread.h>

#include "axis/axis.h"
#include "axis/box.h"
#include "axis/lanes.h"
#include "axis/quantiles.h"
#include "reduce/cpu/step.h"

/* Where the values of a run go. Threads set those of different outputs. */
struct axis_sink {
    struct values *values;
    size_t first;         /* the number of the first output's first value */
    pthread_mutex_t lock; /* of values that are kept apart */
};

/* Makes room for the values of so many outputs more. False where they would
 * take too much memory. */
bool tile_extend(struct axis_sink *sink, const struct axis_job *job,
                 uint64_t outputs, struct error *e);

struct tile {
    const struct axis_job *job;
    struct axis_sink *sink;
    struct stepper *stepper;
    struct lanes *lanes;
    struct quantiles *quantiles; /* NULL: none are asked for */
    unsigned stepped;            /* monoids that have states: all but ranks */
    unsigned ordered; /* monoids that depend on the order of elements */
    char *gathered;   /* elements of one output, side by side */

    uint64_t output; /* the number of the first one */
    struct states states;
    struct leaf {
        size_t n;       /* elements of the output that wait, ... */
        uint64_t first; /* ... and the number of the first of them */
    } * leaf;           /* [outputs] where something is ordered */
    char *waiting;      /* [outputs][PROD_LEAF] elements */
    bool failed;        /* ... of a whole part, with ... */
    struct error error;
};

/* False where there is no memory. */
bool tile_open(struct tile *t, const struct axis_job *job,
               struct axis_sink *sink, struct error *e);
void tile_close(struct tile *t);

/* So many outputs from this number on, empty. */
bool tile_begin(struct tile *t, uint64_t output, size_t outputs,
                struct error *e);

/* Adds a part of the array to the tile's outputs; its rows are `pitch` bytes
 * apart. The elements of an output come in their order. */
void tile_add(struct tile *t, const struct part *p, const char *data,
              size_t pitch);

/* Reduces a part that has all elements of its outputs, and reads their
 * operations. */
bool tile_whole(struct tile *t, const struct part *p, const char *data,
                size_t pitch, struct error *e);

/* The last element is in: completes the states. */
void tile_end(struct tile *t);

/* Reads the operations from the states of the tile's outputs, or from others'
 * that has as many. */
bool tile_finish(struct tile *t, const struct states *states, struct error *e);

/* Sets value `at`. Any thread. */
bool tile_put(struct axis_sink *sink, size_t at, const struct value *value,
              struct error *e);

/* The parts of tile_add and tile_whole. Some lanes of a box, as many as are
 * reduced at a time; and a box added to the states, but for what clean lanes
 * have said. */
struct box tile_lanes(const struct tile *t, const struct box *b, size_t from);
void tile_add_slowly(struct tile *t, const struct box *b);

/* Of so many outputs. */
struct schema tile_schema(const struct axis_job *job, size_t outputs);

/* Bytes that a tile takes for each output, and the outputs that are best. */
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
