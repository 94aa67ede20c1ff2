/* SPDX-License-Identifier: MIT */
/* Whether the first record of a table holds the names of its columns: the rules
 * H1 to H7 of the manual. */
#pragma once

#include "csv/schema/seen.h"
#include "csv/schema/table.h"

enum csv_say { CSV_SAY_NEVER, CSV_SAY, CSV_SAY_IF_COUNTED };

struct csv_verdict {
    bool is_header;
    enum csv_say say;   /* the reader has to know what was assumed */
    const char *reason; /* one clause */
};

struct csv_heading {
    struct csv_dialect dialect;
    const struct csv_fields *first; /* record 1 */
    const struct csv_look *look;    /* at the records below it */
    const struct csv_settings *settings;
    const struct csv_table *like; /* of the dataset's first input, or NULL */
};

/* False where there is no memory. */
bool csv_find_header(const struct csv_heading *h, struct csv_verdict *verdict);

/* Whether the cells of the first field count 0, 1, 2, ... or 1, 2, 3, ..., as
 * the numbers of rows that programs write. */
bool csv_counts(const struct csv_look *look, struct csv_dialect dialect,
                const struct csv_spec *spec);
