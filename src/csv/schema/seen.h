/* SPDX-License-Identifier: MIT */
/* What the cells of each field are in the first records of a table. */
#pragma once

#include "csv/cell/cell.h"
#include "csv/structure/record.h"

struct csv_seen {
    uint32_t numbers, others; /* cells; missing ones are neither */
    uint32_t bare;            /* numbers without quotes */
    uint32_t commas;    /* others that a decimal comma would make numbers */
    enum csv_cell what; /* of the first of the others */
    struct csv_span spoiler; /* the first of the others, in the sample */
};

struct csv_look {
    struct csv_seen *seen; /* [fields], or of the first `most` */
    size_t fields, records;
    size_t most;          /* fields that are looked at; 0: all */
    struct csv_span text; /* the records below the first, cut to be judged by */
    bool is_all;
    bool is_part;        /* its one record is the first fields of a record */
    enum csv_record end; /* why there were no more */
    size_t at;           /* in the text, of the record that is not whole */
    /* The first record with another number of fields; NULL: there is none. */
    const char *ragged;
    size_t ragged_fields;
};

/* Looks at all records of look->text, whose `fields`, most, text and is_all are
 * set.
 * False where there is no memory. The caller frees look->seen. */
bool csv_look_at(struct csv_look *look, struct csv_dialect dialect,
                 const struct csv_spec *spec);

/* Takes account of one more record, which comes before all others. */
bool csv_look_first(struct csv_look *look, struct csv_dialect dialect,
                    const struct csv_spec *spec,
                    const struct csv_fields *record);

/* Whether the cells are numbers but for bad ones, if those are skipped. */
static inline bool csv_is_numeric(const struct csv_seen *seen, bool skip_bad)
{
    return skip_bad ? seen->numbers > seen->others
                    : seen->numbers > 0 && seen->others == 0;
}

/* Whether numbers are most of what is there: then a header over the column is
 * one over numbers, though a cell of it is bad. */
static inline bool csv_mostly_numbers(const struct csv_seen *seen)
{
    return seen->numbers > seen->others;
}
