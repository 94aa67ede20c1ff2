/* SPDX-License-Identifier: MIT */
/*
 * Operations: names for ways to read finished monoids. Adding one is a row of
 * the table in op.c and its finish function.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "reduce/state.h"
#include "reduce/value.h"

enum nan_mode { NAN_PROPAGATE, NAN_SKIP, NAN_ERROR };
enum empty_mode { EMPTY_ERROR, EMPTY_IDENTITY };

/* All that a dataset left behind. */
struct totals {
    enum dtype dtype;
    enum nan_mode nan;
    enum empty_mode empty;
    uint64_t n;                             /* elements, NaN among them */
    const struct state *state[MONOIDS_END]; /* NULL: was not computed */
};

struct op {
    const char *name;
    const char *alias[2]; /* or NULL */
    const char *about;    /* one line */
    unsigned monoids;     /* set of MONOID_BIT */
    bool in_summary;      /* part of --op all */
    /* The value of n elements; n > 0, or an op without identity. */
    bool (*finish)(const struct totals *t, uint64_t n, struct value *out,
                   struct error *e);
    /* What --empty identity prints; NULL: the op has a value on no data. */
    struct value (*identity)(enum dtype dtype);
};

/* Rows in the order of --list; NULL past the last. */
const struct op *op_at(size_t i);

/* By name or alias; NULL if there is none. */
const struct op *op_find(const char *name);

/* The monoids that an op needs under a NaN mode. */
unsigned op_monoids(const struct op *op, enum nan_mode nan);

/* Reads the op's value from the totals. False where there is none: no data,
 * NaN under NAN_ERROR, an integer product too large. */
bool op_finish(const struct op *op, const struct totals *t, struct value *out,
               struct error *e);
