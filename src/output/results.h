/* SPDX-License-Identifier: MIT */
/* Results printed. They are put together first and written at once: standard
 * output holds all of them or none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "reduce/op.h"
#include "reduce/value.h"

/* The results of one column of one dataset. */
struct result {
    size_t dataset;            /* number, from 0 */
    const char *file, *column; /* borrowed; column: NULL where there is none */
    size_t column_bytes;       /* a name may hold NUL */
    struct value *value;       /* [ops] */
};

struct results {
    const struct op *const *op;
    size_t ops;
    const struct result *row;
    size_t rows;
    bool by_file, by_column; /* what tells the rows apart */
    bool op_per_line;        /* rather than a column or file a line */
};

/* As text: the value alone; op<TAB>value lines; or where rows are told apart a
 * TSV table with a header. With op_per_line its columns are those of the data:
 * a line for each op, or for each file and op. */
bool results_text(const struct results *r, int fd, struct error *e);
