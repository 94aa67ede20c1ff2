/* SPDX-License-Identifier: MIT */
/* --assert: conditions over operations, and the meaning of their names. */
#pragma once

#include "base/error.h"
#include "base/quote.h"
#include "expr/expr.h"
#include "reduce/op.h"

struct dataset;
struct plan;

/* A name of the expression: an op, of each column in turn, or of one. */
struct asserted {
    const struct op *op;
    size_t number; /* for arrays along axes: the op's number in the plan */
    bool of_column;
    uint64_t field;          /* number of the column from 1; 0: use its name */
    bool is_saved;           /* the columns are those of merged states */
    struct expr_text column; /* points into the expression */
};

/* Const once made. */
struct assertion {
    struct expr expr;
    struct asserted *name; /* [names]: name i of the expression's nodes */
    size_t names;
};

/* Parses the conditions and adds what they need to the plan. `text` must
 * outlive it. */
bool assertions_make(struct plan *plan, const char *const *text, size_t n,
                     struct error *e);
void assertions_free(struct plan *plan);

/* Checks that the dataset has each column that a condition names. False with
 * the error. */
bool assertions_check(const struct plan *plan, const struct dataset *d,
                      struct error *e);
bool asserted_column(const struct dataset *d, const struct asserted *name,
                     size_t *column, struct error *e);

/* "max" or "max(price)", made safe to show. */
const char *asserted_text(const struct asserted *name, char out[QUOTE_MAX]);
