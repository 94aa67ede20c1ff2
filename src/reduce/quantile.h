/* SPDX-License-Identifier: MIT */
/*
 * Quantiles: the value of rank q (n - 1) of n values in ascending order, or
 * what an interpolation makes of the two beside it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name): as NumPy's percentile calls them. */
#define INTERPOLATIONS(X) X(linear) X(lower) X(higher) X(nearest) X(midpoint)

enum interpolation {
#define INTERPOLATION_ENUM(name) INTERPOLATION_##name,
    INTERPOLATIONS(INTERPOLATION_ENUM)
#undef INTERPOLATION_ENUM
};

struct error;
struct op;

/* The op of a percentile such as p99.9, "p" and digits with or without a point,
 * of at most PERCENT_DIGITS; the same for each way to write the number. NULL:
 * the name is none, or exceeds p100, or PERCENTILES_MAX were asked for. Not for
 * two threads at a time. */
enum { PERCENT_DIGITS = 40, PERCENTILES_MAX = 128 };
const struct op *op_percentile(const char *name);

/* Whether the name is one of a percentile that there is not, or of percentiles
 * in general: then the error says what there is. */
bool op_percentile_foreign(const char *name, struct error *e);

/* Whether the op is read from ranks. */
bool op_of_ranks(const struct op *op);

/* The ranks that the op is read from, of n > 0 values. Returns how many. */
enum { OP_RANKS_MAX = 4 };
size_t op_ranks(const struct op *op, enum interpolation interpolation,
                uint64_t n, uint64_t rank[OP_RANKS_MAX]);
