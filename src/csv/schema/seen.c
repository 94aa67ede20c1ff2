/* SPDX-License-Identifier: MIT */
#include "csv/schema/seen.h"

#include "base/text.h"
#include "csv/cell/kind.h"
#include "csv/schema/delimiter.h"
#include "csv/schema/hint_dress.h"
#include "csv/schema/message.h"

#include <stdlib.h>
#include <string.h>

/* After this many records, cells of a field are read no more if one of them was
 * neither a number nor missing. */
enum { LOOK_RECORDS = 100 };

/* Whether the cell is a number with a decimal comma and digits after the comma:
 * `3,` is not one. */
static bool has_comma(const struct csv_spec *spec, struct csv_dialect dialect,
                      struct csv_span field)
{
    const char *at =
        field.bytes > 0 ? memchr(field.at, ',', field.bytes - 1) : NULL;
    if (!at || at[1] < '0' || at[1] > '9')
        return false;
    struct csv_spec comma = *spec;
    uint64_t bits;
    csv_set_marks(&comma.notation, ',', '.');
    return csv_cell_is_number(csv_cell_read(&comma, dialect, field, &bits));
}

static bool is_quoted(struct csv_dialect dialect, struct csv_span field)
{
    field = csv_trim(field);
    return dialect.quotes && field.bytes > 0 &&
           field.at[0] == (char)dialect.quote;
}

bool csv_is_truth_word(const struct csv_spec *spec, struct csv_dialect dialect,
                       struct csv_span field)
{
    uint64_t bits;
    if (!spec->is_bool ||
        !csv_cell_is_number(csv_cell_read(spec, dialect, field, &bits)))
        return false;
    struct csv_spec number = *spec;
    number.is_bool = false;
    number.dtype = DTYPE_f64;
    return csv_cell_read(&number, dialect, field, &bits) == CSV_CELL_BAD;
}

/* Reads a cell. With -t bool, accepts a number as well as a truth value. The
 * caller passes f64 as the dtype: a --dtype that does not suit a column must
 * fail later, not hide the column. */
static enum csv_cell read_cell(const struct csv_spec *spec,
                               struct csv_dialect dialect,
                               struct csv_span field)
{
    uint64_t bits;
    enum csv_cell cell = csv_cell_read(spec, dialect, field, &bits);
    if (cell != CSV_CELL_BAD || !spec->is_bool)
        return cell;
    struct csv_spec number = *spec;
    number.is_bool = false;
    return csv_cell_read(&number, dialect, field, &bits);
}

/* Whether the cell holds several numbers, and so the delimiter is wrong. */
static bool is_cut_wrong(const struct csv_spec *spec,
                         struct csv_dialect dialect, struct csv_span cell)
{
    char room[CSV_HINT_MAX];
    const char *hint = csv_cell_hint(room, spec, dialect, cell, NULL, false);
    return text_starts(hint, "-d ");
}

/* Whether the cell is an amount such as 5 EUR, perhaps in quotes. It can be
 * counted as a text, too. */
static bool is_in_currency(struct csv_dialect dialect, struct csv_span field)
{
    const bool has_quotes = is_quoted(dialect, field);
    field = csv_trim(field);
    if (has_quotes && field.bytes > 1)
        field = (struct csv_span){field.at + 1, field.bytes - 2};
    return csv_has_currency(csv_trim(field));
}

/* The hint for a cell that looks like data; NULL: none. Where no delimiter was
 * found, 1,5 may as well be two fields below a title. */
static const char *hint_data(char room[CSV_HINT_MAX],
                             const struct csv_spec *spec,
                             struct csv_dialect dialect, struct csv_span field)
{
    if (dialect.delimiter == CSV_NO_DELIMITER &&
        memchr(field.at, ',', field.bytes))
        return NULL;
    return csv_is_data_like(field) || is_in_currency(dialect, field)
               ? csv_field_hint(room, spec, dialect, field, NULL)
               : NULL;
}

/* Whether this cell tells the user less than the bad cell noted from a later
 * record: a word above numbers in another notation may be their name. */
static bool is_less_telling(const struct csv_seen *seen,
                            const struct csv_spec *spec,
                            struct csv_dialect dialect, struct csv_span cell)
{
    const struct csv_span below = seen->bad_cell;
    return seen->written + seen->told > 0 ||
           (!csv_is_data_like(cell) && csv_is_data_like(below) &&
            !is_cut_wrong(spec, dialect, below));
}

/* Notes a cell that is neither a number nor missing. */
static void note_other(struct csv_seen *seen, const struct csv_spec *spec,
                       struct csv_dialect dialect, struct csv_span field,
                       enum csv_cell cell)
{
    char room[CSV_HINT_MAX];
    const bool is_first = seen->others == 0;
    const char *hint =
        cell == CSV_CELL_BAD ? hint_data(room, spec, dialect, field) : NULL;
    const bool is_amount = csv_is_amount(hint);
    const bool is_written = is_amount && !is_in_currency(dialect, field);
    const bool is_told = is_amount || (hint && strstr(hint, CSV_HINT_PIPE));
    const bool none_told = seen->written + seen->told == 0;
    const bool is_above = field.at < seen->bad_cell.at;
    if (is_first || (is_told && (none_told || is_above)) ||
        (is_above && !is_less_telling(seen, spec, dialect, field))) {
        seen->bad_cell = field;
        seen->what = cell;
    }
    seen->commas += cell == CSV_CELL_BAD && seen->others == seen->commas &&
                    has_comma(spec, dialect, field);
    seen->written += is_written;
    seen->told += is_told && !is_written;
    seen->others++;
}

static bool look_at_cell(struct csv_seen *seen, const struct csv_spec *spec,
                         struct csv_dialect dialect, struct csv_span field)
{
    enum csv_cell cell = read_cell(spec, dialect, field);
    if (cell == CSV_CELL_NO_MEMORY)
        return false;
    if (csv_cell_is_number(cell)) {
        seen->numbers++;
        seen->bare += !is_quoted(dialect, field);
        seen->truths += csv_is_truth_word(spec, dialect, field);
    } else if (cell != CSV_CELL_MISSING)
        note_other(seen, spec, dialect, field, cell);
    return true;
}

static size_t fields_seen(const struct csv_look *look)
{
    return look->most && look->most < look->fields ? look->most : look->fields;
}

bool csv_look_first(struct csv_look *look, struct csv_dialect dialect,
                    const struct csv_spec *spec,
                    const struct csv_fields *record)
{
    struct csv_spec judge = *spec;
    judge.dtype = DTYPE_f64;
    for (size_t i = 0; i < fields_seen(look) && i < record->n; i++) {
        if (!look_at_cell(&look->seen[i], &judge, dialect, record->at[i]))
            return false;
    }
    return true;
}

bool csv_look_at(struct csv_look *look, struct csv_dialect dialect,
                 const struct csv_spec *spec)
{
    struct csv_fields record = {.most = look->most};
    struct csv_spec judge = *spec;
    bool ok = true;
    judge.dtype = DTYPE_f64;
    look->seen = calloc(fields_seen(look) + 1, sizeof *look->seen);
    look->records = look->at = 0;
    if (!look->seen)
        return false;
    while (ok && (look->end = csv_record_next(look->text, &look->at, dialect,
                                              look->is_all, &record)) ==
                     CSV_RECORD_OK) {
        look->records++;
        bool is_ragged = record.n != look->fields && !look->is_part;
        if (is_ragged && !look->ragged) {
            look->ragged = record.at[0].at;
            look->ragged_fields = record.n;
        }
        /* The decoder will skip or refuse this record. */
        if (is_ragged && spec->ragged != CSV_RAGGED_PAD && !dialect.blank)
            continue;
        for (size_t i = 0; ok && i < fields_seen(look) && i < record.n; i++) {
            if (look->records <= LOOK_RECORDS || look->seen[i].others == 0)
                ok =
                    look_at_cell(&look->seen[i], &judge, dialect, record.at[i]);
        }
    }
    csv_fields_free(&record);
    return ok && look->end != CSV_RECORD_NO_MEMORY;
}
