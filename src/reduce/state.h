/* SPDX-License-Identifier: MIT */
/*
 * The monoids, each a row of one table, and their states. A state has what its
 * monoid keeps of the elements of one group. It is as large as the monoid needs
 * for the dtype, and records neither monoid nor dtype.
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

/* Room for one state of any monoid. A pointer to a union state may point to
 * less: monoid->size(dtype) bytes, or compact->size(dtype). */
union state {
    struct count count;
    struct exact exact; /* all exact sums */
    struct prod prod;
    struct extrema extrema; /* extrema, absextrema */
    struct ends ends;
    struct wide wide;
    struct distinct distinct; /* distinct, tallies */
    struct sketch sketch;
    struct ranks ranks;
};

/* What a monoid needs to know of an element besides its value. */
enum need { NEED_VALUES, NEED_POSITIONS, NEED_ORDER };

enum field_kind {
    FIELD_NUMBER,
    FIELD_POSITION, /* or INDEX_NONE */
    FIELD_FLAG,     /* 0 or 1 */
    FIELD_LAYOUT,   /* the value that init sets */
};

/* Neighbouring integers of a state, in the order in which state_write writes
 * them.
 */
struct field {
    enum field_kind kind;
    uint16_t at;    /* offset of the first integer in the state */
    uint16_t bytes; /* of each integer */
    uint16_t most;  /* most integers; 0 ends a list of fields */
    uint16_t each;  /* integers of an item */
    /* Offset in the state of a u32, the number of items; 0: there is one item.
     */
    uint16_t count_at;
};

/* The compact form of a monoid's states, used for many groups. It is shorter
 * than a union state, and may own more memory. Every function that takes a
 * `union state *` accepts either form. */
struct compact {
    size_t (*size)(enum dtype dtype);
    void (*init)(union state *s, enum dtype dtype);
    /* Frees what the state owns. It may then be initialised again. */
    void (*close)(union state *s);
    /* Whether the state is lost: it found no memory, so its value is unknown.
     */
    bool (*is_lost)(const union state *s);
    /* Makes the canonical copy that is written: equal for equal values. NULL:
     * the monoid has `write`, or is not written. */
    void (*trim)(union state *to, const union state *from);
    /* Returns the state that holds the positions; NULL: it has none yet. If the
     * function is NULL, the state itself holds them. */
    union state *(*whole)(const union state *s);
    /* Joins a worker's empty state, one of `groups`, to the run's state, so
     * that it adds to the run's. With `total` NULL, a joined state adds what it
     * still has. Any thread. NULL: a worker's states are only merged at the
     * end. */
    void (*join)(union state *s, union state *total, size_t groups);
    /* For states that grow with the data: sets the error of a lost state and
     * returns false. Only called if `is_lost`, which is tested after every
     * chunk and at the end. NULL: states do not grow. */
    bool (*refuse)(const union state *s, struct error *e);
};

struct monoid_row {
    const char *name;
    enum need need[2]; /* for integers, for floats */
    /* Bytes of a state in the form that owns no memory. */
    size_t (*size)(enum dtype dtype);
    void (*init)(union state *s, enum dtype dtype);
    const struct compact *compact; /* NULL: there is only the form above */
    /* Merges `from` into `into`. If the monoid needs order, `from` must follow
     * `into` in the data. */
    void (*merge)(union state *into, const union state *from);
    /* How many elements are NaN; NULL: the monoid does not count them. */
    uint64_t (*nans)(const union state *s);
    /* Adds an integer of text that f64 cannot hold to a state of f64. NULL: the
     * monoid ignores such integers. */
    void (*step_wide)(union state *s, struct wide_integer x);
    const struct field *fields; /* the list ends with most == 0 */
    enum exact_map map;         /* of a sum: the map of its elements */
    /* Whether fields that were read back make a valid state of n elements;
     * NULL: any do. */
    bool (*is_sound)(const union state *s, uint64_t n);
    /* For states that own memory: write them and read them, as state_write and
     * state_read do. NULL: the fields are written. */
    size_t (*write)(const union state *s, uint8_t *to);
    bool (*read)(union state *s, enum dtype dtype, const uint8_t *from,
                 size_t bytes);
    /* Adds a column to a state, on the CPU, for a monoid without loops. If
     * memory runs out, the state is lost. NULL: the loops of cpu/ add the
     * values. */
    void (*add)(union state *s, const struct column *column);
};

/* [MONOIDS_END] */
extern const struct monoid_row monoids[];

enum need monoid_need(enum monoid monoid, enum dtype dtype);

/* Adds n elements, the first with global index `first`, to a state of ends. */
void state_add_ends(union state *s, enum dtype dtype, const void *data,
                    size_t n, uint64_t first);

/* Replaces each position in a state, except INDEX_NONE, by map(context, it). */
void state_map(enum monoid monoid, union state *s,
               uint64_t (*map)(const void *context, uint64_t position),
               const void *context);

/* Whether written states grow with the data. */
bool state_grows(enum monoid monoid);

/* Writes a state. The bytes are the same on every machine and, for sums
 * and distinct values, however they were computed. Returns their number: at
 * most sizeof(union state) of a state that owns no memory, and at most
 * STATE_BYTES_MAX unless state_grows. 0: memory ran out. `to` has room for as
 * many, or is NULL. */
enum { STATE_BYTES_MAX = 64 << 10 };
size_t state_write(enum monoid monoid, const union state *s, uint8_t *to);

/* Reads a written state of n elements of the dtype into *s, as compact->trim
 * makes it where there is one: it can only be merged into another, or written.
 * A state of a monoid with `read` may own memory: the caller closes it, also
 * after a failure. False if the bytes are not such a state: too few, too many,
 * of another dtype, unsafe to merge, or no elements make it. */
bool state_read(enum monoid monoid, enum dtype dtype, uint64_t n,
                union state *s, const uint8_t *from, size_t bytes);
