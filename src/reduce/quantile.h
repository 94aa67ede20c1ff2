/* SPDX-License-Identifier: MIT */
/*
 * Quantiles: of n values in ascending order, the value of rank q (n - 1). If
 * that is no integer, an interpolation computes it from the two neighbouring
 * values.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name), with the names of NumPy's percentile. */
#define INTERPOLATIONS(X) X(linear) X(lower) X(higher) X(nearest) X(midpoint)

enum interpolation {
#define INTERPOLATION_ENUM(name) INTERPOLATION_##name,
    INTERPOLATIONS(INTERPOLATION_ENUM)
#undef INTERPOLATION_ENUM
};

struct error;
struct op;
struct rank_found;

/* Returns the op of a percentile such as p99.9: "p" and at most PERCENT_DIGITS
 * digits, with or without a point. All ways to write a number give the same op.
 * NULL: the name is not a percentile or is above p100, or there are already
 * PERCENTILES_MAX. One thread at a time. */
enum { PERCENT_DIGITS = 40, PERCENTILES_MAX = 128 };
/* Bytes of an op's name with its NUL; that of a percentile may be the longest.
 */
enum { PERCENT_NAME_MAX = PERCENT_DIGITS + 4 };
const struct op *op_percentile(const char *name);

/* Whether the name means a percentile that does not exist, or percentiles in
 * general. Then the error says which exist. */
bool op_percentile_foreign(const char *name, struct error *e);

/* Whether the op's value comes from ranks. */
bool op_of_ranks(const struct op *op);

/* Sets the ranks, among n > 0 values, that the op's value needs. Returns their
 * number. */
enum { OP_RANKS_MAX = 4 };
size_t op_ranks(const struct op *op, enum interpolation interpolation,
                uint64_t n, uint64_t rank[OP_RANKS_MAX]);

/* Sets the ranks that all these ops need among n values: ascending, each once.
 * Returns how many. `to` has room for OP_RANKS_MAX of each op that has ranks.
 */
size_t ranks_asked(struct rank_found *to, const struct op *const *op,
                   size_t ops, enum interpolation interpolation, uint64_t n);
