/* SPDX-License-Identifier: MIT */
/* Finds the byte that separates the fields of a table, by its first records. */
#pragma once

#include "csv/schema/table.h"

/* A byte that no text contains, so that each record is one field. */
enum { CSV_NO_DELIMITER = 0x1f };

/* What is common to all dialects tried on a sample. */
struct csv_trial {
    struct csv_span text; /* the sample from the table's start on */
    bool is_all;
    /* How to read cells: as the options say, and with a decimal comma. */
    struct csv_spec spec, comma;
};

/* The trial of a table that starts at byte `start` of the sample. */
struct csv_trial csv_trial_of(struct csv_span sample, size_t start, bool is_all,
                              const struct csv_settings *settings);

/* The dialect d with runs of blanks as delimiters. `quote` is that of
 * csv_settings. */
struct csv_dialect csv_blank_of(struct csv_dialect d, int quote);

/* Sets the delimiter of *d, where no option gives it, and *reason, a constant.
 * If no byte splits the records, the text has one column. If its name or an
 * option says CSV (is_csv), the delimiter is a comma, and a comma in a cell is
 * an error. Else there is no delimiter, and a comma is data. This and
 * csv_is_alike return false only where there is no memory. */
bool csv_find_delimiter(struct csv_dialect *d, const char **reason,
                        const struct csv_trial *t, int quote, bool is_csv);

/* Sets *is: whether any delimiter splits several records alike. */
bool csv_is_alike(const struct csv_trial *t, struct csv_dialect d, int quote,
                  bool *is);
