/* SPDX-License-Identifier: MIT */
/* Values for products, which depend on the order of the data: 1 stands for a
 * record that is not selected, so that the others keep their places. */
#pragma once

#include <stdbool.h>

#include "reduce/column.h"
#include "reduce/mask.h"

struct identities {
    void *values; /* owned */
    size_t room;  /* bytes */
};

/* Sets *out to the column's values in order, without row numbers. Integers that
 * f64 cannot hold are rounded, since a product multiplies f64. A row that the
 * mask does not select gets 1 (mask NULL: all are selected). If `fills`, so
 * does every other row without a value. *out is valid until the next call.
 * False if memory ran out. */
bool identities_fill(struct identities *x, const struct column *column,
                     const struct mask *mask, size_t rows, bool fills,
                     struct column *out);
