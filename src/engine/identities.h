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

/* Sets *out to the column's values, without rows, with 1 for the rows that the
 * mask leaves out (NULL: none) and, if `fills`, for all others without a value.
 * *out is valid until the next call. False: no memory. */
bool identities_fill(struct identities *x, const struct column *column,
                     const struct mask *mask, size_t rows, bool fills,
                     struct column *out);
