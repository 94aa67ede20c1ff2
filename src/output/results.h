/* SPDX-License-Identifier: MIT */
/* Results printed. They are put together first and written at once: standard
 * output holds all of them or none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "reduce/op.h"
#include "reduce/value.h"

/* One value an op and dataset. */
struct results {
    const struct op *const *op;
    size_t ops;
    const char *const *name; /* of the datasets */
    size_t datasets;
    const struct value *value; /* [datasets][ops] */
};

/* As text: the value alone; op<TAB>value lines; or with several datasets a TSV
 * table with a header. */
bool results_text(const struct results *r, int fd, struct error *e);
