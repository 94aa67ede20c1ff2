/* SPDX-License-Identifier: MIT */
/* Results printed. They are put together first and written at once: standard
 * output holds all of them or none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "reduce/op.h"
#include "reduce/value.h"

/* What one column of one dataset came to. */
struct result {
    const char *file, *column; /* borrowed; column: NULL where there is none */
    struct value *value;       /* [ops] */
};

struct results {
    const struct op *const *op;
    size_t ops;
    const struct result *row;
    size_t rows;
    bool by_file, by_column; /* what tells the rows apart */
};

/* As text: the value alone; op<TAB>value lines; or with several rows a TSV
 * table with a header. */
bool results_text(const struct results *r, int fd, struct error *e);
