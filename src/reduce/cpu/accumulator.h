/* SPDX-License-Identifier: MIT */
/*
 * The CPU loops: for every monoid and dtype a function that steps a run of
 * elements. The same source is compiled for the base instruction set, and again
 * for each instruction set on which it is faster. cpu_loops lists
 * those that run here, best first.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "reduce/cpu/lanes.h"
#include "reduce/state.h"
#include "reduce/sum_windows.h"

/* Most elements that the spread sums of powers take between two drains. */
enum { POWER_ADDENDS = 1 << 20 };
/* Elements that arrays of products may have after the last one. */
enum { PRODUCTS_ROOM = 8 };

/* When a way of summing fails on a block, it is not tried on the next `penalty`
 * blocks. The penalty about doubles with each failure in a row, up to 127. */
struct backoff {
    unsigned left;    /* blocks until the next try */
    unsigned penalty; /* 0 after a success */
};

static inline bool backoff_skips(struct backoff *b)
{
    if (b->left == 0)
        return false;
    b->left--;
    return true;
}

/* Notes whether a try succeeded, and returns it. */
static inline bool backoff_note(struct backoff *b, bool success)
{
    if (success)
        b->penalty = 0;
    else if (b->penalty < 64)
        b->penalty = 2 * b->penalty + 1;
    b->left = b->penalty;
    return success;
}

/* What a thread uses to step states of one monoid, one after another. Some
 * fields outlive a state: they record which ways of summing suit the data. */
struct accumulator {
    enum monoid monoid;
    enum dtype dtype;
    /* The state that is stepped, from accumulator_begin to accumulator_end.
     * Until the end, sums lack what is in the windows, the spread sums and
     * `word`. */
    union state *state;
    /* Integer sums: elements since accumulator_begin. Powers of floats:
     * elements in the spread sums. */
    uint64_t n;

    /* Maps a place in the data to the element's index; NULL: they are the same.
     * The index decides which of equal elements is the first. */
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;

    /* Float sums: blocks may be summed plainly, with rounding (--fast). */
    bool fast;

    /* Float sums: the windows where a block's compensated sums start, if
     * `started`. */
    bool started;
    struct sum_windows start;
    /* The windows in use, if `anchored`, and the running sum of each. */
    bool anchored;
    struct sum_windows windows;
    __int128 window[WINDOWS_MAX];
    /* Spread sums, if has_spread: one for each exponent, for elements that fit
     * no windows. Mantissas are summed by sign and exponent, squares by
     * exponent; a carry has the weight of the sum's top bit, which is 0. Higher
     * powers are always summed here, cut as loops_sum_power.h says: two sums of
     * cubes by sign and exponent, four of fourth powers by exponent, and the
     * range of exponents seen. */
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
    /* Failures on blocks: the plain sum rounded; the compensated sum rounded;
     * elements fitted no windows. */
    struct backoff rounding, uneven, hostile;

    /* Integer sums: word[i] has the weight 2^(64 i). */
    __int128 word[4];
};

/* Steps n elements, of any alignment, of which the first has the global index
 * `first`. At most 2^28 elements from accumulator_begin to accumulator_end. For
 * prod, `first` must be a multiple of PROD_LEAF and, except at the end of the
 * data, so must n. Extremes and counts keep the earlier of equal elements:
 * unless w->index is set, elements must follow all that the state has. */
typedef void loop_fn(struct accumulator *w, const void *data, size_t n,
                     uint64_t first);

/* The bits that cpu_loops.products returns. */
enum {
    PRODUCTS_INEXACT = 1, /* a p[i] + e[i] is not exactly the product */
    PRODUCTS_ROUND = 2    /* an e[i] is not 0 */
};

struct cpu_loops {
    const char *name; /* of the instruction set */
    /* NULL for monoids that single elements do not change: wide integers, sums
     * of pairs, and monoids that take whole columns (`add` in monoids.c). */
    loop_fn *run[MONOIDS_END][DTYPES_END];
    /* Sets p[i] + e[i] = a[i] * b[i] for n pairs. All four arrays have room for
     * PRODUCTS_ROOM elements more. The loop multiplies these, too; their values
     * in a and b do not matter. */
    unsigned (*products)(const double *a, const double *b, size_t n, double *p,
                         double *e);
    struct lane_loops lanes[DTYPES_END];
};

void accumulator_init(struct accumulator *w, enum monoid monoid,
                      enum dtype dtype);

/* The loops add to the state from here on. It is incomplete until
 * accumulator_end. */
void accumulator_begin(struct accumulator *w, union state *state);
void accumulator_end(struct accumulator *w);

/* Adds what the windows hold to the state. */
void accumulator_drain_windows(struct accumulator *w);

/* Adds what the spread sums of powers hold to the state. */
void accumulator_drain_powers(struct accumulator *w);

/* Adds value * 2^position to the state's sum, where the sum's lsb has position
 * 0. No bit is lost below it, since every addend is a multiple of the lsb. */
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

/* The loop for `ends`, of all dtypes and instruction sets. */
loop_fn accumulator_ends;

/* Every set of loops that this machine can run, best first, then NULL. */
const struct cpu_loops *cpu_loops(size_t i);

extern const struct cpu_loops cpu_loops_base;
#ifdef HAVE_X86_LOOPS
extern const struct cpu_loops cpu_loops_avx2;
extern const struct cpu_loops cpu_loops_avx512;
#endif
