/* SPDX-License-Identifier: MIT */
#include "csv/first_error.h"

#include "base/quote.h"
#include "base/text.h"
#include "csv/schema/message.h"
#include "csv/schema/texts.h"

/* Bytes of a cell that are decoded to show CSV_SHOWN_TEXT of them. */
enum { CSV_SHOWN = 200 };

void csv_note_error(struct csv_first_error *first, size_t row, long field,
                    size_t start, size_t what)
{
    if (row < first->row || (row == first->row && field < first->field))
        *first = (struct csv_first_error){row, field, start, what};
}

/* The content of the cell with the error, or its beginning. `room` holds it
 * where quotes had to be undone. */
static struct csv_span cell_shown(const struct csv_text *text,
                                  const struct csv_first_error *first,
                                  char room[CSV_SHOWN])
{
    const struct csv_table *table = text->table;
    enum csv_state state = CSV_FIELD;
    /* With runs of blanks as delimiters, the last field extends to the end of
     * the record, since more fields may be joined to it. */
    const enum csv_state last =
        table->dialect.blank && first->field + 1 == (long)table->fields
            ? CSV_RECORD
            : CSV_FIELD;
    struct csv_span field = {text->at + first->start, 0}, content;
    size_t limit = text->bytes - first->start;
    /* Skips all but one of the blanks before the cell. One stays, since a quote
     * after a blank does not open a field. */
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
    /* A cell that is cut short has lost its closing quote. */
    csv_undo_quotes(csv_trim(field), table->dialect, room, &content);
    csv_content(content, (struct csv_dialect){.quotes = false}, room, &content);
    return content;
}

static bool is_text_field(const struct csv_table *table, size_t field)
{
    bool is = false;
    for (size_t c = 0; c < table->columns; c++)
        is |= table->field_of[c] == field && csv_is_text_column(table, c);
    return is;
}

static bool is_weight(const struct csv_table *table, size_t field)
{
    return table->has_weight && table->field_of[table->weight] == field;
}

/* Whether the field is a column that -x would leave out, and not only weights
 * or what an expression reads. */
static bool is_reduced(const struct csv_spec *spec,
                       const struct csv_table *table, size_t field)
{
    size_t c = 0;
    while (c < table->valued && table->field_of[c] != field)
        c++;
    return c < table->valued && !spec->rows_only && !is_weight(table, field);
}

/* is_first, is_again: the cell is in the first record of the table, or in one
 * with the same bytes. */
static bool report_bad(const struct csv_spec *spec, const char *place,
                       struct csv_span content, const struct csv_table *table,
                       size_t field, bool is_first, bool is_again,
                       struct error *e)
{
    const char *column = table->name[field];
    char cell[QUOTE_MAX], name[QUOTE_MAX], room[CSV_HINT_MAX];
    bool is_float = dtype_is_float(spec->dtype);
    bool is_cut = content.bytes > CSV_SHOWN_TEXT;
    const char *hint =
        csv_cell_hint(room, spec, table->dialect, content, column, is_again);
    if (!is_reduced(spec, table, field) && (!hint || text_starts(hint, "-x ")))
        hint = is_weight(table, field) ? CSV_HINT_WORD : CSV_HINT_READ;
    quote_bytes(cell, content.at, is_cut ? CSV_SHOWN_TEXT : content.bytes);
    return error_set(
        e, ERROR_DATA, "%s: not %s: %s%s (column %s)\nTry %s%s%s%s", place,
        spec->is_bool ? "a truth value"
        : is_float    ? "a number"
                      : dtype_info(spec->dtype)->long_name,
        cell, is_cut ? "..." : "", escape(name, column),
        hint ? hint : CSV_HINT_DEFAULT,
        is_first ? "\nOr --header yes if this line names the columns, or "
                   "--skip-lines 1 if it is not part of the table"
                 : "",
        is_text_field(table, field) && !spec->compares ? CSV_TEXT_HELP : "",
        spec->compares ? "" : "\n--bad skip leaves such cells out.");
}

static bool report_weight(const char *place, struct csv_span content,
                          const char *column, struct error *e)
{
    char cell[QUOTE_MAX], name[QUOTE_MAX];
    quote_bytes(cell, content.at,
                content.bytes > CSV_SHOWN_TEXT ? CSV_SHOWN_TEXT
                                               : content.bytes);
    return error_set(e, ERROR_DATA,
                     "%s: a weight must be a finite number, 0 or more, not %s "
                     "(column %s)",
                     place, cell, escape(name, column));
}

bool csv_check(const struct csv_first_error *first, const struct csv_spec *spec,
               const struct csv_text *text, struct error *e)
{
    char name[QUOTE_MAX], place[CSV_PLACE_MAX], room[CSV_SHOWN];
    const struct csv_dialect dialect = text->table->dialect;
    if (first->row == SIZE_MAX)
        return true;
    const char *at = text->at + first->start;
    uint64_t line = text->line + csv_lines(text->at, at, dialect);
    if (first->field < 0 && first->what == SIZE_MAX)
        return csv_too_long(text->name, line, e);
    if (first->field < 0)
        return csv_ragged(text->name, text->table, line, at, first->what,
                          !spec->compares, e);
    csv_place(place, text->name, text->line, text->at, at, dialect);
    const char *called = text->table->name[first->field];
    switch (first->what) {
    case CSV_CELL_MISSING:
        return error_set(e, ERROR_DATA, "%s: missing value (column %s)", place,
                         escape(name, called));
    case CSV_CELL_TOO_LONG:
        return error_set(e, ERROR_DATA,
                         "%s: a field of over %d bytes (column %s)", place,
                         CSV_FIELD_MAX, escape(name, called));
    case CSV_CELL_NO_MEMORY:
        return error_memory(e);
    case CSV_CELL_NO_WEIGHT:
        return report_weight(place, cell_shown(text, first, room), called, e);
    default:
        return report_bad(
            spec, place, cell_shown(text, first, room), text->table,
            (size_t)first->field,
            line == text->table->line && !text->table->has_header,
            csv_is_first_again(text->table,
                               (struct csv_span){text->at, text->bytes}, at),
            e);
    }
}
