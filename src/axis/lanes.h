/* SPDX-License-Identifier: MIT */
/*
 * The fast way to reduce a box: its outputs are lanes of vectors. A lane is
 * clean if its elements have neither NaN nor infinity, and its sums are exact
 * or proved to be rounded correctly. A lane that is not clean is reduced again,
 * by the states of its output.
 */
#pragma once

#include "axis/axis.h"
#include "axis/box.h"
#include "reduce/cpu/accumulator.h"
#include "reduce/states.h"
#include "reduce/values.h"

enum {
    LANES_MAX = 2048, /* lanes that are reduced at a time */
    /* Rows with fewer elements are transposed first. */
    ROW_MIN = 16,
    /* Narrow columns, and the elements of several steps that are then summed
     * side by side; see lanes_times. */
    LANES_NARROW = 32,
    LANES_WIDE = 256,
};

struct direct;

/* Used by one thread. */
struct lanes {
    /* Set by lanes_open. */
    const struct axis_job *job;
    const struct lane_loops *loops;
    unsigned fast;  /* monoids whose states can be made from lanes */
    bool is_direct; /* all operations can be read from lanes */
    const struct direct *direct[OPS_MAX]; /* [job->ops] if is_direct */
    unsigned sums;  /* bits of enum lane_map: the sums that are needed */
    unsigned sides; /* bits of enum lane_side: the extremes that are needed */
    struct backoff rounding; /* decides when to skip sums that rarely help */
    size_t size;             /* bytes of an element */

    /* Set by lanes_run, of the lanes of its box. */
    struct box box;
    /* A lane's sum is sum + rest, with an error of at most bound. */
    double sum[LANE_MAPS][LANES_MAX], rest[LANE_MAPS][LANES_MAX],
        bound[LANE_MAPS][LANES_MAX];
    /* The extreme keys, and the first steps that have them; see lane_key. */
    uint64_t key[LANE_SIDES][LANES_MAX], at[LANE_SIDES][LANES_MAX];
    /* Rests and bounds from this lane on are 0. */
    size_t rests[LANE_MAPS];
    double total[3][LANES_MAX]; /* of lanes_sum: sums, rests and bounds */
    bool clean[LANES_MAX];
    bool are_clean; /* all lanes are */
    bool turns;     /* the box has short rows, which are transposed if needed */
    bool is_turned; /* `turned` has them */
    uint64_t turned[LANES_MAX * ROW_MIN];
};

/* NULL: out of memory. */
struct lanes *lanes_open(const struct axis_job *job, struct error *e);
void lanes_close(struct lanes *l);

/* Reduces a box of at most LANES_MAX lanes. With may_round, lanes must be whole
 * outputs, and operations may be read from them: then a sum need not be exact
 * if it is known how it rounds. Without, states may be made from the lanes. */
void lanes_run(struct lanes *l, const struct box *b, bool may_round);

/* Adds a clean lane to an output's states of the monoids l->fast. With
 * `counts`, also counts its elements. */
void lanes_add(const struct lanes *l, size_t lane, struct states *states,
               size_t output, bool counts);

/* Sets the values of all operations of all lanes, from index `first` of
 * `values` on. False if the caller must compute the lanes one by one; then the
 * values set are meaningless. */
bool lanes_values(const struct lanes *l, struct values *values, size_t first);

/* Sets *out to the value of operation number `op` for a clean lane that is a
 * whole output. False if it is not known how the value rounds. */
bool lanes_value(const struct lanes *l, size_t lane, size_t op,
                 struct value *out);

/* The address of an element of a lane, and its bits. */
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

/* The extreme key of a lane, and the first step that has it. Both are 64 bits
 * wide for elements of 64 bits, else 32. */
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

/* Of narrow columns, the steps that a few vectors hold: about 64 elements, and
 * no vector of up to 8 is left in part. */
static inline size_t lanes_times(size_t lanes)
{
    return lanes < 8 ? 64 / lanes / 8 * 8 : 8;
}

/* Whether there are so few columns that a vector should rather hold several
 * steps of each. */
static inline bool lanes_are_narrow(const struct lanes *l,
                                    const struct lane_block *b)
{
    return b->lanes <= LANES_NARROW && b->pitch == b->lanes * l->size &&
           b->steps >= 4 * lanes_times(b->lanes);
}

/* Transposes the short rows of the box, once. */
void lanes_turn(struct lanes *l, struct lane_block *b);

/* The parts of lanes_run. lanes_sum returns false if no lane has a usable sum.
 */
bool lanes_sum(struct lanes *l, enum lane_map map, const struct lane_block *b,
               bool is_rows);
void lanes_extremum(struct lanes *l, enum lane_side side,
                    const struct lane_block *b, bool is_rows);

/* How to read an operation from lanes. */
struct direct {
    const char *op;   /* its name */
    unsigned monoids; /* that it needs */
    /* Sets the value of a clean lane. False if it is not known how it rounds.
     */
    bool (*value)(const struct lanes *l, size_t lane, struct value *out);
    /* Sets the values of all lanes of a box as real numbers; or NULL. False if
     * the caller must compute the lanes one by one. Not called for integers of
     * 64 bits. */
    bool (*reals)(const struct lanes *l, double *to);
    bool is_f64; /* those values are f64, whatever the data's dtype */
    /* Sets the values of all lanes as integers of at least 0; or NULL. */
    void (*wholes)(const struct lanes *l, uint64_t *to);
};

/* NULL: the operation cannot be read from lanes. */
const struct direct *lanes_direct(const struct op *op);
