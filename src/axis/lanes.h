/* SPDX-License-Identifier: MIT */
/*
 * The fast way to reduce a box: its outputs are lanes of a vector. A lane is
 * clean where the loops over lanes say all of its elements: they have neither
 * NaN nor infinity, and its sums are exact, or proved to be rounded right. The
 * others are left to the states of each output.
 */
#pragma once

#include "axis/axis.h"
#include "axis/box.h"
#include "reduce/cpu/accumulator.h"
#include "reduce/states.h"
#include "reduce/values.h"

enum {
    LANES_MAX = 2048, /* that are reduced at a time */
    /* Shorter rows are turned to columns. */
    ROW_MIN = 16,
    LANES_WIDE = 64,
};

struct direct;

/* Of one thread. */
struct lanes {
    const struct axis_job *job;
    const struct lane_loops *loops;
    unsigned fast;  /* monoids whose states can be made of lanes */
    bool is_direct; /* all operations can be read from lanes */
    const struct direct *direct[OPS_MAX]; /* [job->ops], where it is */
    unsigned sums;  /* bit of enum lane_map: which are needed */
    unsigned sides; /* bit of enum lane_side: likewise */
    struct backoff rounding;
    size_t size; /* bytes of an element */

    /* Of the lanes at hand: elements of the box from here on. */
    struct box box;
    double sum[LANE_MAPS][LANES_MAX], rest[LANE_MAPS][LANES_MAX],
        bound[LANE_MAPS][LANES_MAX];
    uint64_t key[LANE_SIDES][LANES_MAX], at[LANE_SIDES][LANES_MAX];
    bool has_rest[LANE_MAPS];         /* rest and bound are not zero */
    bool clean[LANES_MAX], are_clean; /* all of them */
    bool turns, is_turned;            /* rows, whose columns are in `turned` */
    uint64_t turned[LANES_MAX * ROW_MIN];
};

/* NULL where there is no memory. */
struct lanes *lanes_open(const struct axis_job *job, struct error *e);
void lanes_close(struct lanes *l);

/* Reduces a box of at most LANES_MAX lanes. may_round: lanes are whole outputs,
 * of which operations are read; a sum need not be exact where it is known how
 * it rounds. Else states are made of them. */
void lanes_run(struct lanes *l, const struct box *b, bool may_round);

/* Adds a clean lane to the states of an output: those of l->fast. `counts`:
 * its elements were not counted otherwise. */
void lanes_add(const struct lanes *l, size_t lane, struct states *states,
               size_t output, bool counts);

/* Sets the values of all operations of all lanes, those of the first lane from
 * number `first` on. False where some lane must be looked at alone. */
bool lanes_values(const struct lanes *l, struct values *values, size_t first);

/* The value of operation number `op` of a clean lane of a whole output. False
 * where it is not known how it rounds. */
bool lanes_value(const struct lanes *l, size_t lane, size_t op,
                 struct value *out);

/* Where an element of a lane is, and its bits. */
static inline const char *lane_element(const struct lanes *l, size_t lane,
                                       uint64_t step)
{
    return l->box.data + lane * l->box.lane + step * l->box.step;
}

static inline uint64_t lane_bits(const struct lanes *l, size_t lane,
                                 uint64_t step)
{
    return dtype_load(l->job->dtype, lane_element(l, lane, step));
}

/* The extreme key of a lane, and the first step that has it. */
static inline int64_t lane_key(const struct lanes *l, enum lane_side side,
                               size_t lane)
{
    return l->size == 8 ? ((const int64_t *)l->key[side])[lane]
                        : ((const int32_t *)l->key[side])[lane];
}

static inline uint64_t lane_step(const struct lanes *l, enum lane_side side,
                                 size_t lane)
{
    return l->size == 8 ? l->at[side][lane]
                        : ((const uint32_t *)l->at[side])[lane];
}

/* Whether columns are so few that a vector is better filled by several steps
 * of each: LANES_WIDE of them. */
static inline bool lanes_are_narrow(const struct lanes *l,
                                    const struct lane_block *b)
{
    return b->lanes <= LANES_WIDE / 2 && b->pitch == b->lanes * l->size &&
           b->steps >= 2 * LANES_WIDE;
}

/* Makes columns of the short rows of the box. */
void lanes_turn(struct lanes *l, struct lane_block *b);

/* The parts of lanes_run. False where the sums are of no use. */
bool lanes_sum(struct lanes *l, enum lane_map map, const struct lane_block *b,
               bool is_rows);
void lanes_extremum(struct lanes *l, enum lane_side side,
                    const struct lane_block *b, bool is_rows);

/* How lanes have the value of an operation. */
struct direct {
    const char *op;
    unsigned monoids; /* that it needs */
    /* False where it is not known how it rounds. */
    bool (*value)(const struct lanes *l, size_t lane, struct value *out);
    /* All of a box, where they are real; or NULL. False where lanes must be
     * looked at one by one. */
    bool (*reals)(const struct lanes *l, double *to);
    bool is_f64; /* those are f64, whatever the data are */
    /* The same of integers from 0 on; or NULL. */
    void (*wholes)(const struct lanes *l, uint64_t *to);
};

/* NULL: they do not have it. */
const struct direct *lanes_direct(const struct op *op);
