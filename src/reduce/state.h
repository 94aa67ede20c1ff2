/* SPDX-License-Identifier: MIT */
/*
 * A monoid's state: all that a stretch of data leaves behind. It says itself
 * what it is of, and state_merge is the one way to combine two.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/count.h"
#include "reduce/dtype.h"
#include "reduce/ends.h"
#include "reduce/exact.h"
#include "reduce/extrema.h"
#include "reduce/prod.h"

/* MONOIDS is the only list: X(name, what it keeps). */
#define MONOIDS(X)                                          \
    X(count, "counts of NaN, Inf and nonzero")              \
    X(sum, "exact sum")                                     \
    X(sumabs, "exact sum of magnitudes")                    \
    X(sumsq, "exact sum of squares")                        \
    X(prod, "product")                                      \
    X(extrema, "least and greatest with their first index") \
    X(absextrema, "the same of magnitudes")                 \
    X(ends, "first and last")

enum monoid {
#define MONOID_ENUM(name, what) MONOID_##name,
    MONOIDS(MONOID_ENUM)
#undef MONOID_ENUM
        MONOIDS_END
};

/* A set of monoids, one bit each. */
#define MONOID_BIT(name) (1u << MONOID_##name)

struct state {
    enum monoid monoid;
    enum dtype dtype;
    uint64_t n; /* elements seen, of every kind */
    union {
        struct count count;
        struct exact exact; /* sum, sumabs, sumsq */
        struct prod prod;
        struct extrema extrema; /* extrema, absextrema */
        struct ends ends;
    } of;
};

#ifdef __cplusplus
extern "C" {
#endif

const char *monoid_name(enum monoid monoid);

/* The identity of the monoid over elements of a dtype. */
void state_init(struct state *s, enum monoid monoid, enum dtype dtype);

/* Adds n elements to a state of ends; the first has the global index `first`.
 */
void state_add_ends(struct state *s, const void *data, size_t n,
                    uint64_t first);

/* Appends `from`, which follows `into` in the data. Only prod depends on the
 * order; the others merge in any. */
void state_merge(struct state *into, const struct state *from);

/* How many of the n elements are NaN; 0 of ends, which do not count them. */
uint64_t state_nans(const struct state *s);

/* The indexes that a state holds, INDEX_NONE among them: how many. */
enum { STATE_INDEXES = 4 };
unsigned state_indexes(struct state *s, uint64_t *index[STATE_INDEXES]);

/* What a sum monoid adds up of each element. */
enum exact_map monoid_map(enum monoid monoid);

#ifdef __cplusplus
}
#endif
