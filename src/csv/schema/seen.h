/* SPDX-License-Identifier: MIT */
/* Looks at the first records of a table, and counts what the cells of each
 * field are. */
#pragma once

#include "csv/cell/cell.h"
#include "csv/structure/record.h"

/* A field's cells. */
struct csv_seen {
    uint32_t numbers, others; /* cells; missing ones count as neither */
    uint32_t bare;            /* numbers without quotes */
    uint32_t truths;          /* numbers that are words such as yes: -t bool */
    uint32_t commas;    /* `others` that are numbers with a decimal comma */
    uint32_t written;   /* `others` that an option would make numbers: $5 */
    uint32_t told;      /* `others` that only a note reports: 5GB, 5 EUR */
    enum csv_cell what; /* the kind of `bad_cell` */
    /* The first of `written` and `told`, if any, else of the `others`;
     * points into the sample. csv_look_first may keep a later one that tells
     * the user more. */
    struct csv_span bad_cell;
};

/* The records that were looked at. */
struct csv_look {
    /* [fields], but at most [most]; the caller frees it. */
    struct csv_seen *seen;
    size_t fields, records;
    size_t most;          /* fields to look at; 0: all */
    struct csv_span text; /* the records below the first that are looked at */
    bool is_all;          /* the end of the text ends a record */
    bool is_part;         /* the text is only the first fields of one record */
    enum csv_record end;  /* why there is no further record */
    size_t at; /* offset in the text of the record that is not whole */
    /* The first record with another number of fields, and how many it has.
     * NULL: there is none. */
    const char *ragged;
    size_t ragged_fields;
};

/* Whether the cell is a truth value with -t bool, and otherwise a word: true,
 * no, y ... */
bool csv_is_truth_word(const struct csv_spec *spec, struct csv_dialect dialect,
                       struct csv_span field);

/* Looks at all records of look->text. The caller sets `fields`, `most`, `text`,
 * `is_all` and `is_part` before, and frees look->seen. False: no memory. */
bool csv_look_at(struct csv_look *look, struct csv_dialect dialect,
                 const struct csv_spec *spec);

/* Looks at one more record, which precedes all others in the text. False: no
 * memory. */
bool csv_look_first(struct csv_look *look, struct csv_dialect dialect,
                    const struct csv_spec *spec,
                    const struct csv_fields *record);

/* Whether the field is numeric: its cells are numbers or missing. With
 * skip_bad, more of them are numbers than others. */
static inline bool csv_is_numeric(const struct csv_seen *seen, bool skip_bad)
{
    return skip_bad ? seen->numbers > seen->others
                    : seen->numbers > 0 && seen->others == 0;
}

/* Whether more cells are numbers than others. A word above them is then taken
 * for a name over numbers, even though a cell is bad. */
static inline bool csv_mostly_numbers(const struct csv_seen *seen)
{
    return seen->numbers > seen->others;
}

/* Whether at least half of the cells that are not numbers are numbers in a
 * notation that needs an option: with a currency sign, a percent sign ... */
static inline bool csv_is_written_otherwise(const struct csv_seen *seen)
{
    return seen->written > 0 && 2 * seen->written >= seen->others;
}

/* The same for numbers that only a note reports, while the column remains one
 * of text: those that need a command, such as 5GB or 0x1F; and 5 EUR. */
static inline bool csv_is_told(const struct csv_seen *seen)
{
    return seen->told > 0 && 2 * seen->told >= seen->others;
}
