/* SPDX-License-Identifier: MIT */
/* Memory that is reused from chunk to chunk. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "reduce/wide.h"

/* Memory that the owner reuses and frees at the end. csv_have_room makes it at
 * least `bytes` large and does not keep its contents. False, with the error: no
 * memory. */
struct csv_room {
    void *at;
    size_t bytes;
};
bool csv_have_room(struct csv_room *room, size_t bytes, struct error *e);

/* The integers of a column of f64 that are above 2^53 in magnitude, in order of
 * rows: see CSV_CELL_WIDE. csv_wide_add returns false where there is no memory.
 */
struct csv_wide_cells {
    struct wide_integer *at;
    size_t n, room;
};
bool csv_wide_add(struct csv_wide_cells *w, size_t row, bool negative,
                  uint64_t magnitude);
