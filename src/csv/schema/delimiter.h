/* SPDX-License-Identifier: MIT */
/* Which byte separates the fields of a table, judged by its first records. */
#pragma once

#include "csv/schema/table.h"

/* What is common to all dialects tried on a sample. */
struct csv_trial {
    struct csv_span text; /* of the table */
    bool is_all;
    struct csv_spec spec, comma; /* as asked; with a decimal comma */
};

/* The trial of the table that starts at `start` of the sample. */
struct csv_trial csv_trial_of(struct csv_span sample, size_t start, bool is_all,
                              const struct csv_settings *settings);

/* The dialect with runs of blanks for delimiters. */
struct csv_dialect csv_blank_of(struct csv_dialect d, int quote);

/* Sets the delimiter, where no option says it, and why. Of a single column a
 * comma is an error where the text is called CSV (is_csv), and data elsewhere.
 * These return false only where there is no memory. */
bool csv_find_delimiter(struct csv_dialect *d, const char **reason,
                        const struct csv_trial *t, int quote, bool is_csv);

/* Whether any delimiter splits several records alike. */
bool csv_is_alike(const struct csv_trial *t, struct csv_dialect d, int quote,
                  bool *is);
