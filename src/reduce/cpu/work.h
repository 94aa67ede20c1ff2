/* SPDX-License-Identifier: MIT */
/*
 * The CPU loops: for every monoid and dtype one function that takes a stretch
 * of elements. The same source is compiled once for the base instruction set,
 * complete and portable, and again for each set that pays; cpu_loops chooses.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "reduce/state.h"
#include "reduce/windows.h"

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

/* What a worker keeps of one monoid between stretches: the state, and for the
 * sums what has not been added to it yet. */
struct work {
    struct state state;

    /* The index of the element at a place of the data, where the two differ
     * (and with them, which of equals is first); else NULL. */
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;

    /* Float sums: a block may be summed plainly, with rounding. */
    bool fast;

    /* Float sums: where a block's compensated sums start, if anywhere. */
    bool started;
    struct windows start;
    /* Running sums of the windows, and limbs. */
    bool anchored;
    struct windows windows;
    __int128 window[WINDOWS_MAX];
    int64_t limb[EXACT_LIMBS];
    /* What fits no windows, in sums of its own exponents: of mantissas by sign
     * and exponent, or of their squares by exponent. A carry weighs the sum's
     * top bit, which is 0. */
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
    } spread;
    /* Blocks that rounded where they may not, plainly and compensated, and
     * that fitted no windows. */
    struct backoff rounding, uneven, hostile;

    /* Integer sums: low + high * 2^64. */
    __int128 low, high;
};

/* Takes n elements (any alignment) whose first has the global index `first`.
 * prod wants first to be a multiple of PROD_LEAF, and n too, but for the end
 * of the data. At most 2^28 elements between two calls of work_take. */
typedef void loop_fn(struct work *w, const void *data, size_t n,
                     uint64_t first);

struct cpu_loops {
    const char *name; /* of the instruction set */
    loop_fn *run[MONOIDS_END][DTYPES_END];
};

/* Adds value * 2^position to limbs (see deposit_split). */
static inline void limbs_add(int64_t *limb, int64_t value, unsigned position)
{
    struct deposit d = deposit_split(value, position);
    limb[d.limb] += d.part[0];
    limb[d.limb + 1] += d.part[1];
    limb[d.limb + 2] += d.part[2];
}

void work_init(struct work *w, enum monoid monoid, enum dtype dtype);

/* Moves the state of all that was run into *out, and starts anew. */
void work_take(struct work *w, struct state *out);

/* Adds what the windows hold to the limbs. */
void work_drain_windows(struct work *w);

/* The loop of ends, one for all dtypes and instruction sets. */
loop_fn work_ends;

/* Every set of loops that this machine can run, best first, then NULL. */
const struct cpu_loops *cpu_loops(size_t i);

extern const struct cpu_loops cpu_loops_base;
#ifdef HAVE_X86_LOOPS
extern const struct cpu_loops cpu_loops_avx2;
extern const struct cpu_loops cpu_loops_avx512;
#endif
