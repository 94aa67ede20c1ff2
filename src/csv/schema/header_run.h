/* SPDX-License-Identifier: MIT */
/* Numbers that are counted up: 0, 1, 2 in record 1 may be names of columns, and
 * in the first field numbers of rows. */
#pragma once

#include "csv/cell/kind.h"
#include "csv/schema/header.h"

/* The kinds of the cells of record 1. */
struct csv_header_cells {
    enum csv_kind *kind;              /* [n] */
    size_t n, of[CSV_KIND_NO_MEMORY]; /* cells; of[k]: cells of kind k */
    size_t figures; /* cells of CSV_KIND_NUMBER with a digit: not nan or inf */
    bool lost;      /* memory ran out for a later record */
};

/* The numbers of a record, if they are consecutive integers. */
struct csv_run {
    uint64_t from;
    size_t n;
    size_t *field; /* [n]: the fields they are in */
};

/* Sets *run to the numbers that the record has in the fields where record 1 has
 * numbers. Returns false if the record has no number there, or if its numbers
 * are not consecutive integers. */
bool csv_run_read(const struct csv_heading *h, const struct csv_header_cells *c,
                  const struct csv_fields *record, struct csv_run *run);

/* Whether record 2 has a run like that of record 1: the same numbers, the next
 * ones, or years as well. Then the numbers of both records are data. */
bool csv_run_is_continued(const struct csv_heading *h,
                          struct csv_header_cells *c,
                          const struct csv_run *run);

/* Whether the numbers of record 1, beside a word, are all years, in any order,
 * and record 2 has another number below them. */
bool csv_may_be_years(const struct csv_heading *h, struct csv_header_cells *c);

/* Whether a number below the run is a fraction. */
bool csv_run_has_fraction(const struct csv_heading *h,
                          struct csv_header_cells *c,
                          const struct csv_run *run);

/* Whether a run in record 1 is one that names have: from 0 or 1, or years. A
 * single number is a name only if it is a year beside a word. */
bool csv_run_is_name_like(const struct csv_header_cells *c,
                          const struct csv_run *run);

/* Whether the cells of the first field count the records, from 0 or from 1,
 * like row numbers that programs write. Sets *lost if memory ran out. */
bool csv_counts(const struct csv_look *look, struct csv_dialect dialect,
                const struct csv_spec *spec, bool *lost);
