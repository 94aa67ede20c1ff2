/* SPDX-License-Identifier: MIT */
/*
 * Operations: names for ways to read finished monoids. To add one, follow the
 * recipe in CONTRIBUTING.md.
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

/* When the summary shows an op that the user did not name. SHOWN_NEVER: only
 * computed, because the display of other ops uses its value. */
enum op_shown {
    SHOWN_ALWAYS,
    SHOWN_FOR_TEXT,
    SHOWN_FOR_BINARY,
    SHOWN_IF_ANY,
    SHOWN_NEVER
};

/* The finished states of a column or a binary dataset, and how to read them. */
struct totals {
    enum dtype dtype;
    enum nan_mode nan;
    enum empty_mode empty;
    bool is_bool;                /* the dtype is u8, of 0 and 1 */
    uint64_t n;                  /* elements, NaN among them */
    uint64_t rows, missing, bad; /* of text; binary data: n, 0, 0 */
    const union state
        *state[MONOIDS_END];      /* NULL: the monoid was not computed */
    bool is_text;                 /* the elements are texts */
    const struct text_ends *text; /* the first and the last text; or NULL */
    const struct value *folded;   /* the user's reduction; or NULL */
    struct decimals *decimals;    /* where to put rounded results; NULL: none */
    enum interpolation interpolation; /* of quantiles */
    const char *percent; /* set by op_finish for a percentile; else NULL */
};

struct op {
    const char *name;
    const char *about; /* one line */
    unsigned monoids;  /* set of MONOID_BIT */
    bool in_all;       /* --op all includes the op */
    enum op_shown shown;
    /* Sets the value of n elements. n may be 0 only if `identity` is NULL. */
    bool (*finish)(const struct totals *t, uint64_t n, struct value *out,
                   struct error *e);
    /* What --empty identity prints; NULL: the op has a value for empty input.
     */
    struct value (*identity)(enum dtype dtype);
};

/* Op number i in the order of --list; NULL after the last. */
const struct op *op_at(size_t i);

/* Finds an op by its name or a synonym; NULL: there is none. */
const struct op *op_find(const char *name);

/* Synonym i of all ops together; NULL after the last. */
const char *op_synonym(size_t i);

/* Writes the op's synonyms, separated by ", ", or "". Returns out. */
enum { OP_SYNONYMS_MAX = 64 };
const char *op_synonyms(char out[OP_SYNONYMS_MAX], const struct op *op);

/* The ops of the summary and of describe, separated by commas. */
extern const char op_summary[], op_describe[];

/* Whether the name is one of another tool's. Then the error says what to write
 * instead. */
bool op_foreign(const char *name, struct error *e);

/* Whether the op reads cells or elements, rather than only counting records. */
bool op_reads_cells(const struct op *op);

/* Whether the op looks at each text of a column of texts. */
bool op_reads_texts(const struct op *op);

/* Whether the op has a value for texts. */
bool op_takes_text(const struct op *op);

bool op_is_mode(const struct op *op);

/* Whether its value is a table of counts by bin. */
bool op_is_histogram(const struct op *op);

/* Whether the op reduces two columns, as a covariance does. */
bool op_of_pairs(const struct op *op);

/* Whether its value is that of the user's reduction, --reduce. */
bool op_is_fold(const struct op *op);

/* The weighted op of the same name, or NULL. */
const struct op *op_weighted(const struct op *op);

/* For an op whose value is an index: the op whose value is the element at it.
 * Else NULL. */
const struct op *op_element(const struct op *op);

/* Whether a monoid of the set counts NaN. */
bool op_counts_nans(unsigned set);

/* The monoids that an op needs under a NaN mode. */
unsigned op_monoids(const struct op *op, enum nan_mode nan);

/* Sets *index to the element that gives an extreme its value, or to the first
 * NaN for n_nan. False if that is not known. */
bool op_place(const struct op *op, const struct totals *t, uint64_t *index);

/* False, with an error, if the greatest of bools is not 0 or 1. True if it was
 * not computed. */
bool op_check_bool(const struct totals *t, struct error *e);

/* False, with an error, if an element is NaN and --nan error forbids it. */
bool op_check_nans(const struct totals *t, struct error *e);

/* Sets *out to the op's value. False, with an error, if there is none: no data,
 * NaN under NAN_ERROR, or an integer product that is too large. A real value
 * that is rounded to decimals refers to their text, which the next call
 * overwrites. */
bool op_finish(const struct op *op, const struct totals *t, struct value *out,
               struct error *e);
