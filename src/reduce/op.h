/* SPDX-License-Identifier: MIT */
/*
 * Operations: names for ways to read finished monoids. Adding one is a row of
 * OPS in op_rows.h and its finish function.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "reduce/decimals.h"
#include "reduce/quantile.h"
#include "reduce/state.h"
#include "reduce/text_ends.h"
#include "reduce/value.h"

enum { OPS_MAX = 64 }; /* of one run */
enum nan_mode { NAN_PROPAGATE, NAN_SKIP, NAN_ERROR };
/* EMPTY_BLANK: an op without a value on no data gives VALUE_NONE. */
enum empty_mode { EMPTY_ERROR, EMPTY_IDENTITY, EMPTY_BLANK };

/* When the summary shows an op that was not asked for by name. SHOWN_NEVER: it
 * is computed for what other ops say. */
enum op_shown {
    SHOWN_ALWAYS,
    SHOWN_FOR_TEXT,
    SHOWN_FOR_BINARY,
    SHOWN_IF_ANY,
    SHOWN_NEVER
};

/* All that a column or a binary dataset left behind. */
struct totals {
    enum dtype dtype;
    enum nan_mode nan;
    enum empty_mode empty;
    bool is_bool;                          /* the dtype is u8, of 0 and 1 */
    uint64_t n;                            /* elements, NaN among them */
    uint64_t rows, missing, bad;           /* of text; of binary n, 0, 0 */
    const union state *state[MONOIDS_END]; /* NULL: was not computed */
    bool is_text;                          /* the elements are texts, ... */
    const struct text_ends *text; /* ... and these their ends, or NULL */
    struct decimals *decimals;    /* to which results are rounded; or NULL */
    enum interpolation interpolation; /* of quantiles */
    const char *percent; /* set by op_finish: of a percentile; else NULL */
};

struct op {
    const char *name;
    const char *about; /* one line */
    unsigned monoids;  /* set of MONOID_BIT */
    bool in_all;       /* part of --op all */
    enum op_shown shown;
    /* The value of n elements; n > 0, or an op without identity. */
    bool (*finish)(const struct totals *t, uint64_t n, struct value *out,
                   struct error *e);
    /* What --empty identity prints; NULL: the op has a value on no data. */
    struct value (*identity)(enum dtype dtype);
};

/* Rows in the order of --list; NULL past the last. */
const struct op *op_at(size_t i);

/* By name or synonym; NULL if there is none. */
const struct op *op_find(const char *name);

/* Synonym i of all ops; NULL past the last. */
const char *op_synonym(size_t i);

/* Writes the op's synonyms, separated by ", ", or "". Returns out. */
enum { OP_SYNONYMS_MAX = 64 };
const char *op_synonyms(char out[OP_SYNONYMS_MAX], const struct op *op);

/* The ops of the summary, separated by commas. */
extern const char op_summary[], op_describe[];

/* Whether other tools know the name: the error then says what to write here. */
bool op_foreign(const char *name, struct error *e);

/* Whether the op reads cells or elements, rather than only counting records. */
bool op_reads_cells(const struct op *op);

/* Whether the op looks at each text of a column of texts. */
bool op_reads_texts(const struct op *op);

/* Whether the op has a value for texts. */
bool op_takes_text(const struct op *op);

/* Whether its value is a table: how many values are in which bin. */
bool op_is_histogram(const struct op *op);

/* Whether the op is of two columns, as a covariance. */
bool op_of_pairs(const struct op *op);

/* The op that is called the same and takes weights, or NULL. */
const struct op *op_weighted(const struct op *op);

/* Of an op whose value is an index, the one whose value is the element there;
 * else NULL. */
const struct op *op_element(const struct op *op);

/* Whether a monoid of the set counts the NaN. */
bool op_counts_nans(unsigned set);

/* The monoids that an op needs under a NaN mode. */
unsigned op_monoids(const struct op *op, enum nan_mode nan);

/* Where the element is that gives the op its value: of extremes, and of n_nan
 * the first one. False where that is not known. */
bool op_place(const struct op *op, const struct totals *t, uint64_t *index);

/* Reads the op's value from the totals. False where there is none: no data,
 * NaN under NAN_ERROR, an integer product too large. A real value that is
 * rounded to decimals has their text, until the next call. */
bool op_finish(const struct op *op, const struct totals *t, struct value *out,
               struct error *e);
