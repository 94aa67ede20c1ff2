/* SPDX-License-Identifier: MIT */
/*
 * Results as text, row by row: results_begin, results_row for each, and the
 * writer's end. All values are known before the first is written, as standard
 * output holds all results or none.
 */
#pragma once

#include "output/writer.h"
#include "reduce/op.h"

/* What all rows have in common. */
struct results {
    const struct op *const *op;
    size_t ops;
    bool by_file, by_column; /* what tells the rows apart */
};

/* The results of one column of one dataset. */
struct result {
    const char *file, *column; /* borrowed; column: NULL where there is none */
    size_t column_bytes;       /* a name may hold NUL */
    const struct value *value; /* [ops] */
};

/* Where rows are told apart: a TSV table with a header. Else, of a single row:
 * the value alone, or op<TAB>value lines. */
void results_begin(struct writer *w, const struct results *r);
void results_row(struct writer *w, const struct results *r,
                 const struct result *row);
