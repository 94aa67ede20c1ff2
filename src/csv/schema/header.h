/* SPDX-License-Identifier: MIT */
/* Whether the first record of a table holds the names of its columns: the rules
 * H1 to H7 of the manual. */
#pragma once

#include "csv/schema/seen.h"
#include "csv/schema/table.h"

/* When to print a note about the assumed kind of record 1. */
enum csv_say {
    CSV_SAY_NEVER,
    CSV_SAY,
    CSV_SAY_IF_COUNTED /* if csv_settings.counts_records */
};

struct csv_verdict {
    bool is_header;
    enum csv_say say;   /* when to note the verdict */
    const char *reason; /* one clause, a constant */
};

/* The input of the decision. All of it is borrowed. */
struct csv_heading {
    struct csv_dialect dialect;
    const struct csv_fields *first; /* record 1 */
    const struct csv_look *look;    /* what the records below it hold */
    const struct csv_settings *settings;
    /* The table of the dataset's first input, or NULL. */
    const struct csv_table *like;
};

/* Sets *verdict. False: no memory. */
bool csv_find_header(const struct csv_heading *h, struct csv_verdict *verdict);
