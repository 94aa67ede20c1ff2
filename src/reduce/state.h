/* SPDX-License-Identifier: MIT */
/*
 * The monoids, a row of one table each, and their states: what the elements of
 * one group leave behind. A state is as large as its monoid needs for a dtype,
 * and says nothing of either.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "reduce/column.h"
#include "reduce/count.h"
#include "reduce/distinct.h"
#include "reduce/dtype.h"
#include "reduce/ends.h"
#include "reduce/exact.h"
#include "reduce/extrema.h"
#include "reduce/prod.h"
#include "reduce/ranks.h"
#include "reduce/sketch.h"
#include "reduce/wide.h"

/* MONOIDS is the only list: X(name, what it keeps). The table in monoids.c has
 * a row for each. */
#define MONOIDS(X)                                          \
    X(count, "counts of NaN, Inf and nonzero")              \
    X(sum, "exact sum")                                     \
    X(sumabs, "exact sum of magnitudes")                    \
    X(sumsq, "exact sum of squares")                        \
    X(prod, "product")                                      \
    X(extrema, "least and greatest with their first index") \
    X(absextrema, "the same of magnitudes")                 \
    X(ends, "first and last")                               \
    X(sumcube, "exact sum of cubes")                        \
    X(sumfourth, "exact sum of fourth powers")              \
    X(wide, "integers of text that f64 cannot hold")        \
    X(sumb, "exact sum of the second column of a pair")     \
    X(sumsqb, "exact sum of its squares")                   \
    X(sumab, "exact sum of products of both columns")       \
    X(sumaab, "exact sum of those with the first's square") \
    X(distinct, "distinct values")                          \
    X(tallies, "distinct values and how often each comes")  \
    X(sketch, "sketch of the number of distinct values")    \
    X(ranks, "values of ranks that the pass asks for")

enum monoid {
#define MONOID_ENUM(name, what) MONOID_##name,
    MONOIDS(MONOID_ENUM)
#undef MONOID_ENUM
        MONOIDS_END
};

/* A set of monoids, one bit each. */
#define MONOID_BIT(name) (1u << MONOID_##name)
#define MONOIDS_ALL ((1u << MONOIDS_END) - 1)

/* Room for one state of any monoid. What a pointer to it points to may be
 * shorter: monoid->size(dtype) bytes, or compact->size(dtype). */
union state {
    struct count count;
    struct exact exact; /* of all exact sums */
    struct prod prod;
    struct extrema extrema; /* extrema, absextrema */
    struct ends ends;
    struct wide wide;
    struct distinct distinct; /* distinct, tallies */
    struct sketch sketch;
    struct ranks ranks;
};

/* What a monoid has to know of an element besides its value. */
enum need { NEED_VALUES, NEED_POSITIONS, NEED_ORDER };

enum field_kind {
    FIELD_NUMBER,
    FIELD_POSITION, /* or INDEX_NONE */
    FIELD_FLAG,     /* 0 or 1 */
    FIELD_LAYOUT,   /* as init has made it */
};

/* Integers of a state, as they are written out one after the other. */
struct field {
    enum field_kind kind;
    uint16_t at;       /* of the first, in the state */
    uint16_t bytes;    /* of each */
    uint16_t most;     /* so many of them at most; 0 ends a list of fields */
    uint16_t each;     /* so many go together; ... */
    uint16_t count_at; /* ... the u32 here says how often; 0: there is one */
};

/* The form in which a monoid's states are kept for many groups, shorter than a
 * union state and with memory of their own where they need it. All that takes a
 * state takes this form, too. */
struct compact {
    size_t (*size)(enum dtype dtype);
    void (*init)(union state *s, enum dtype dtype);
    /* Frees what it owns; it may then be initialised. */
    void (*close)(union state *s);
    /* Whether there was no memory for it: its value is not known. */
    bool (*is_lost)(const union state *s);
    /* What is written out of it: of two states of one value the same. */
    void (*trim)(union state *to, const union state *from);
    /* The state in which its positions are, or NULL, if it has none. NULL: they
     * are in itself. */
    union state *(*whole)(const union state *s);
    /* Lets a worker's empty state, one of so many, add to the run's; any
     * thread. NULL: it keeps all to itself until it is merged. */
    void (*join)(union state *s, union state *total, size_t groups);
    /* Sets the error of a state that is lost, of one that grows with the data;
     * it is checked after every chunk. NULL: it does not. */
    bool (*refuse)(const union state *s, struct error *e);
};

struct monoid_row {
    const char *name;
    enum need need[2]; /* of integers, of floats */
    /* Of a state that owns nothing. */
    size_t (*size)(enum dtype dtype);
    void (*init)(union state *s, enum dtype dtype);
    const struct compact *compact; /* NULL: there is no other */
    /* Appends `from`, which follows `into` in the data where the monoid needs
     * order. */
    void (*merge)(union state *into, const union state *from);
    /* How many of the elements are NaN; NULL: it does not count them. */
    uint64_t (*nans)(const union state *s);
    /* Adds an integer of text that f64 cannot hold to a state of f64; NULL: it
     * is nothing to the monoid. */
    void (*step_wide)(union state *s, struct wide_integer x);
    const struct field *fields; /* [field].most == 0 ends them */
    enum exact_map map;         /* of a sum: what is added of each element */
    /* Whether fields that were read back are those of a state; NULL: any are.
     */
    bool (*is_sound)(const union state *s);
    /* Adds a column to a state, for a monoid that looks at whole columns; only
     * the host has those. Where there is no memory the state is lost. NULL:
     * the loops of cpu/ add its values. */
    void (*add)(union state *s, const struct column *column);
};

/* [MONOIDS_END] */
extern const struct monoid_row monoids[];

enum need monoid_need(enum monoid monoid, enum dtype dtype);

/* Adds n elements to a state of ends; the first has the global index `first`.
 */
void state_add_ends(union state *s, enum dtype dtype, const void *data,
                    size_t n, uint64_t first);

/* Replaces each position in a state, but for INDEX_NONE. */
void state_map(enum monoid monoid, union state *s,
               uint64_t (*map)(const void *context, uint64_t position),
               const void *context);

/* Writes a state out: the same bytes on every machine, and of sums, however
 * they came about. Returns how many there are, at most sizeof(union state);
 * `to` has room for as many, or is NULL. */
size_t state_write(enum monoid monoid, const union state *s, uint8_t *to);

/* Reads one back into a state of the dtype, which owns nothing. False where the
 * bytes are not those of one: too few, too many, of another dtype, or unsafe to
 * merge. */
bool state_read(enum monoid monoid, enum dtype dtype, union state *s,
                const uint8_t *from, size_t bytes);
