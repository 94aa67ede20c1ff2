/* SPDX-License-Identifier: MIT */
/*
 * The CPU loops: for every monoid and dtype one function that takes a run
 * of elements. The same source is compiled once for the base instruction set,
 * complete and portable, and again for each set that pays; cpu_loops chooses.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "reduce/cpu/lanes.h"
#include "reduce/state.h"
#include "reduce/sum_windows.h"

/* So many may be added to the spread sums of powers between two drains. */
enum { POWER_ADDENDS = 1 << 20 };
/* Elements that a vector may have beyond the last one. */
enum { PRODUCTS_ROOM = 8 };

/* A way of summing that failed on a block is not tried on the next ones, on
 * twice as many after each failure in a row, up to 127. */
struct backoff {
    unsigned left, penalty;
};

static inline bool backoff_skips(struct backoff *b)
{
    if (b->left == 0)
        return false;
    b->left--;
    return true;
}

static inline void backoff_failed(struct backoff *b)
{
    if (b->penalty < 64)
        b->penalty = 2 * b->penalty + 1;
    b->left = b->penalty;
}

static inline void backoff_succeeded(struct backoff *b)
{
    b->penalty = 0;
}

/* What a thread needs to step the states of one monoid, one after another, and
 * what it has learnt of the data on the way. */
struct accumulator {
    enum monoid monoid;
    enum dtype dtype;
    /* What is stepped, from accumulator_begin to accumulator_end. Float sums
     * lack what is still in the windows and the spread sums. */
    union state *state;
    /* Of integer sums, elements since accumulator_begin; of powers of floats,
     * those in the spread sums. */
    uint64_t n;

    /* The index of the element at a place of the data, where the two differ
     * (and with them, which of equals is first); else NULL. */
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;

    /* Float sums: a block may be summed plainly, with rounding. */
    bool fast;

    /* Float sums: where a block's compensated sums start, if anywhere. */
    bool started;
    struct sum_windows start;
    /* Running sums of the windows. */
    bool anchored;
    struct sum_windows windows;
    __int128 window[WINDOWS_MAX];
    /* What fits no windows, in sums of its own exponents: of mantissas by sign
     * and exponent, or of their squares by exponent. A carry weighs the sum's
     * top bit, which is 0. And all of the higher powers, as loops_sum_power.h
     * cuts them: by sign and exponent two sums of cubes, by exponent four of
     * fourth powers; and the range of the exponents. */
    bool has_spread;
    union {
        struct {
            uint64_t sum[4096];
            uint32_t carry[4096];
        } mantissa;
        struct {
            unsigned __int128 sum[2048];
            uint32_t carry[2048];
        } square;
        struct {
            unsigned __int128 sum[8192];
            unsigned least, greatest;
        } power;
    } spread;
    /* Blocks that rounded where they may not, plainly and compensated, and
     * that fitted no windows. */
    struct backoff rounding, uneven, hostile;

    /* Integer sums: word[i] counts 2^(64 i). */
    __int128 word[4];
};

/* Takes n elements (any alignment) whose first has the global index `first`.
 * prod wants first to be a multiple of PROD_LEAF, and n too, but for the end
 * of the data. At most 2^28 elements from accumulator_begin to accumulator_end.
 * Extremes and counts want elements that follow all that the state has, unless
 * w->index is set: of equal ones they keep the one that is there. */
typedef void loop_fn(struct accumulator *w, const void *data, size_t n,
                     uint64_t first);

/* What products says of its n pairs. */
enum {
    PRODUCTS_INEXACT = 1, /* some sum of p and e is not the product */
    PRODUCTS_ROUND = 2    /* some e is not 0 */
};

struct cpu_loops {
    const char *name; /* of the instruction set */
    loop_fn *run[MONOIDS_END][DTYPES_END];
    /* Makes p[i] + e[i] of a[i] * b[i]. All four have PRODUCTS_ROOM more
     * elements than n, of a and b without a value: those are multiplied too. */
    unsigned (*products)(const double *a, const double *b, size_t n, double *p,
                         double *e);
    struct lane_loops lanes[DTYPES_END];
};

void accumulator_init(struct accumulator *w, enum monoid monoid,
                      enum dtype dtype);

/* What is run from here on is added to the state, which is complete after
 * accumulator_end. */
void accumulator_begin(struct accumulator *w, union state *state);
void accumulator_end(struct accumulator *w);

/* Adds what the windows hold to the state. */
void accumulator_drain_windows(struct accumulator *w);

/* Adds what the spread sums of powers hold to the state. */
void accumulator_drain_powers(struct accumulator *w);

/* Adds value * 2^position to the state's sum, a position counted from its lsb.
 * Below it nothing is lost: all that is summed is a multiple of it. */
static inline void accumulator_add(struct accumulator *w, __int128 value,
                                   int position)
{
    if (position < 0) {
        value = position > -127 ? value >> -position : 0;
        position = 0;
    }
    if (value != 0)
        exact_add_shifted(&w->state->exact, value, (unsigned)position);
}

/* The loops of ends, and of monoids to which an element alone is nothing: wide
 * integers and the sums of pairs. The same for all dtypes and instruction sets.
 */
loop_fn accumulator_ends, accumulator_nothing;

/* Every set of loops that this machine can run, best first, then NULL. */
const struct cpu_loops *cpu_loops(size_t i);

extern const struct cpu_loops cpu_loops_base;
#ifdef HAVE_X86_LOOPS
extern const struct cpu_loops cpu_loops_avx2;
extern const struct cpu_loops cpu_loops_avx512;
#endif
