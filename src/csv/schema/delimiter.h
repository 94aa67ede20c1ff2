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
    /* How to read cells: as the options say, with a decimal comma, and with
     * commas between thousands. */
    struct csv_spec spec, comma, groups;
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
 * an error. Else there is no delimiter, and a comma is data. The functions of
 * this file return false only where there is no memory. */
bool csv_find_delimiter(struct csv_dialect *d, const char **reason,
                        const struct csv_trial *t, int quote, bool is_csv);

/* Records that a delimiter splits alike. */
struct csv_alike {
    struct csv_dialect dialect;
    size_t records, fields; /* records: at most 100; fields of each */
};

/* Finds any delimiter that splits the records alike; alike->records is 0 if
 * there is none. */
bool csv_find_alike(const struct csv_trial *t, struct csv_dialect d, int quote,
                    struct csv_alike *alike);

/* Sets *is: whether blanks split all records into at least as many fields as
 * the first, and into a column of numbers, as in the output of ps. Then surplus
 * words may belong to the last column. */
bool csv_is_padded(const struct csv_trial *t, struct csv_dialect d, int quote,
                   bool *is);

/* Sets *numeric to the number of columns that have only numbers below the first
 * record, and *alike as csv_find_alike does, but for the dialect d. */
bool csv_count_numeric(const struct csv_trial *t, struct csv_dialect d,
                       struct csv_alike *alike, size_t *numeric);
