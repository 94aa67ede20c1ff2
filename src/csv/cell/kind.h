/* SPDX-License-Identifier: MIT */
/* What a cell of the first record looks like: a name or data. */
#pragma once

#include "csv/cell/cell.h"

enum csv_kind {
    CSV_KIND_EMPTY, /* empty or a missing-value word */
    CSV_KIND_NUMBER,
    CSV_KIND_DATA, /* a date, currency, percent ..., or no letter or digit */
    CSV_KIND_WORD,
    CSV_KIND_NO_MEMORY
};

/* The kind of a field. CSV_KIND_NUMBER means that it can be read as f64,
 * whatever the dtype of the spec. */
enum csv_kind csv_kind_of(const struct csv_spec *spec,
                          struct csv_dialect dialect, struct csv_span field);

/* Whether the text looks like data rather than a name, although it is not a
 * plain number. */
bool csv_is_data_like(struct csv_span text);
