/* SPDX-License-Identifier: MIT */
#include "csv/first_error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "csv/structure/machine.h"

/* Bytes of a cell that are looked at, and shown, in a message. */
enum { CSV_SHOWN = 200, CSV_SHOWN_TEXT = 80 };

void csv_note_error(struct csv_first_error *o, size_t row, long field,
                    size_t start, size_t what)
{
    if (row < o->row || (row == o->row && field < o->field))
        *o = (struct csv_first_error){row, field, start, what};
}

/* Moves *line from that of the text's first byte to that of `start`, and finds
 * the byte in it, from 1. */
static void locate(const char *text, size_t start, struct csv_dialect dialect,
                   uint64_t *line, size_t *column)
{
    size_t line_start = 0;
    for (size_t i = 0; i < start; i++) {
        if (text[i] != (char)dialect.end)
            continue;
        ++*line;
        line_start = i + 1;
    }
    *column = start - line_start + 1;
}

/* The text of the cell at fault, or its beginning. */
static struct csv_span shown(const struct csv_text *text,
                             const struct csv_first_error *o,
                             char room[CSV_SHOWN])
{
    const struct csv_table *table = text->table;
    enum csv_state state = CSV_FIELD;
    /* Behind a blank the last field goes on where more fields join it. */
    const enum csv_state last =
        table->dialect.blank && o->field + 1 == (long)table->fields ? CSV_RECORD
                                                                    : CSV_FIELD;
    struct csv_span field = {text->at + o->start, 0}, content;
    size_t limit = text->bytes - o->start;
    /* Of blanks before it one is kept: behind one a quote opens nothing. */
    for (; limit > 1 && csv_blank(field.at[0]) && csv_blank(field.at[1]);
         limit--)
        field.at++;
    if (limit > CSV_SHOWN)
        limit = CSV_SHOWN;
    for (; field.bytes < limit; field.bytes++) {
        state = csv_step(state, (unsigned char)field.at[field.bytes],
                         table->dialect);
        if (state <= last)
            break;
    }
    bool is_last = state == CSV_RECORD;
    if (is_last && field.bytes > 0 && field.at[field.bytes - 1] == '\r')
        field.bytes--;
    if (csv_content(field, table->dialect, room, &content) || state <= last)
        return content;
    /* A cell that was cut to be shown has lost its closing quote. */
    csv_undo_quotes(csv_trim(field), table->dialect, room, &content);
    csv_content(content, (struct csv_dialect){.quotes = false}, room, &content);
    return content;
}

bool csv_ragged(const char *name, const struct csv_table *table, uint64_t line,
                size_t have, struct error *e)
{
    char file[QUOTE_MAX], hint[128] = "--ragged skip to leave such records out";
    /* A title before the table: the second record is the one that differs.
     * Decided by lines of the file, so that chunks make no difference. */
    bool is_odd =
        line == table->line + !table->has_header && have > table->fields;
    /* Comments of several lines stand before the table. */
    bool is_comment = table->has_header && line == table->line &&
                      table->name[0][0] == '#' && table->name[0][1] == ' ';
    if (is_comment)
        snprintf(hint, sizeof hint, "--comment '#'");
    else if (is_odd && table->has_header && have == table->fields + 1)
        snprintf(hint, sizeof hint,
                 "--skip-lines %" PRIu64 " --header no: the header has a name "
                 "too few",
                 line - 1);
    else if (is_odd)
        snprintf(hint, sizeof hint,
                 "--skip-lines %" PRIu64 " if the table starts at this line",
                 line - 1);
    else if (have < table->fields)
        snprintf(hint, sizeof hint,
                 "--ragged pad to take absent fields for missing values, or "
                 "--ragged skip");
    return error_set(e, ERROR_DATA,
                     "%s:%" PRIu64 ": %zu field%s where the first record has "
                     "%zu\nTry %s.",
                     escape(file, name), line, have, have == 1 ? "" : "s",
                     table->fields, hint);
}

const char *csv_cell_hint(char out[CSV_HINT_MAX], const struct csv_spec *spec,
                          struct csv_dialect dialect, struct csv_span content,
                          const char *column)
{
    const struct csv_notation *n = &spec->notation;
    char thousands[CSV_CHAR_MAX + 1] = "";
    memcpy(thousands, n->thousands, n->thousands_bytes);
    const struct csv_hint_context context = {
        .decimal = n->used ? n->decimal : '.',
        .thousands = n->thousands_bytes > 0 ? thousands : NULL,
        .delimiter = dialect.blank ? CSV_BLANK : dialect.delimiter,
        .is_integer = !dtype_is_float(spec->dtype),
        .column = column};
    return content.bytes > CSV_SHOWN_TEXT
               ? NULL
               : csv_hint(out, content.at, content.bytes, &context);
}

static bool tell_bad(const struct csv_spec *spec, const char *place,
                     struct csv_span content, const struct csv_table *table,
                     const char *column, bool is_first, struct error *e)
{
    char cell[QUOTE_MAX], name[QUOTE_MAX], room[CSV_HINT_MAX];
    bool is_float = dtype_is_float(spec->dtype);
    bool is_cut = content.bytes > CSV_SHOWN_TEXT;
    const char *hint =
        csv_cell_hint(room, spec, table->dialect, content, column);
    quote_bytes(cell, content.at, is_cut ? CSV_SHOWN_TEXT : content.bytes);
    return error_set(
        e, ERROR_DATA,
        "%s: not %s: %s%s (column %s)\nTry %s%s\n"
        "--bad skip leaves such cells out.",
        place,
        spec->is_bool ? "a truth value"
        : is_float    ? "a number"
                      : dtype_info(spec->dtype)->long_name,
        cell, is_cut ? "..." : "", escape(name, column),
        hint ? hint : CSV_HINT_DEFAULT,
        is_first ? "\nOr --header yes if this line names the columns, or "
                   "--skip-lines 1 if it is not part of the table"
                 : "");
}

bool csv_check(const struct csv_first_error *o, const struct csv_spec *spec,
               const struct csv_text *text, struct error *e)
{
    char name[QUOTE_MAX], place[QUOTE_MAX + 64], room[CSV_SHOWN];
    uint64_t line = text->line;
    size_t column;
    if (o->row == SIZE_MAX)
        return true;
    locate(text->at, o->start, text->table->dialect, &line, &column);
    if (o->field < 0 && o->what == SIZE_MAX)
        return csv_too_long(text->name, line, e);
    if (o->field < 0)
        return csv_ragged(text->name, text->table, line, o->what, e);
    snprintf(place, sizeof place, "%s:%" PRIu64 ":%zu",
             escape(name, text->name), line, column);
    const char *called = text->table->name[o->field];
    switch (o->what) {
    case CSV_CELL_MISSING:
        return error_set(e, ERROR_DATA, "%s: missing value (column %s)", place,
                         escape(name, called));
    case CSV_CELL_TOO_LONG:
        return error_set(e, ERROR_DATA,
                         "%s: a field of over %d bytes (column %s)", place,
                         CSV_FIELD_MAX, escape(name, called));
    case CSV_CELL_NO_MEMORY:
        return error_memory(e);
    default:
        return tell_bad(spec, place, shown(text, o, room), text->table, called,
                        line == text->table->line && !text->table->has_header,
                        e);
    }
}

bool csv_too_long(const char *name, uint64_t line, struct error *e)
{
    char room[QUOTE_MAX];
    return error_set(e, ERROR_DATA,
                     "%s:%" PRIu64 ": a record of over %d MiB (is a quote "
                     "never closed?)",
                     escape(room, name), line, CSV_RECORD_MAX >> 20);
}

bool csv_never_closed(const char *name, struct csv_dialect dialect,
                      uint64_t line, struct csv_span record, struct error *e)
{
    char room[QUOTE_MAX];
    enum csv_state state = CSV_RECORD;
    size_t opened = 0, column;
    for (size_t i = 0; i < record.bytes; i++) {
        unsigned char byte = (unsigned char)record.at[i];
        if (byte == dialect.quote && state <= CSV_FIELD)
            opened = i;
        state = csv_step(state, byte, dialect);
    }
    locate(record.at, opened, dialect, &line, &column);
    return error_set(e, ERROR_DATA,
                     "%s:%" PRIu64 ":%zu: a quote that is never closed",
                     escape(room, name), line, column);
}
