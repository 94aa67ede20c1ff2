/* SPDX-License-Identifier: MIT */
#include "csv/schema/left_out.h"

#include <inttypes.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "csv/schema/message.h"
#include "csv/schema/names.h"
#include "csv/schema/remedy.h"
#include "csv/schema/select.h"
#include "csv/schema/texts.h"

enum {
    CELL_SHOWN = 60,
    /* Columns left out that get a note each. To find the line of a cell takes a
     * walk over the sample, so that a note for each of n columns would take
     * O(n^2). */
    LEFT_OUT_SHOWN = 8
};

/* A column's first cell that is not a number, for a message. */
struct bad_cell {
    char column[QUOTE_MAX], cell[QUOTE_MAX], room[CSV_HINT_MAX];
    char place[CSV_PLACE_MAX];
    const char *hint; /* NULL: none */
    uint64_t line;
    bool is_first; /* it is in the first record, which is assumed to be data */
};

static void describe(const struct csv_table *table, const struct csv_choice *c,
                     size_t field, struct bad_cell *s)
{
    const struct csv_seen *seen = &c->look->seen[field];
    const struct csv_span name = csv_name(table, field);
    const char *at = seen->bad_cell.at;
    struct csv_span content = seen->bad_cell;
    char room[CELL_SHOWN];
    quote_bytes(s->column, name.at, name.bytes);
    if (content.bytes <= CELL_SHOWN)
        csv_content(seen->bad_cell, table->dialect, room, &content);
    bool is_short = content.bytes <= CELL_SHOWN;
    quote_bytes(s->cell, content.at, is_short ? content.bytes : CELL_SHOWN);
    s->line = 1 + csv_lines(c->sample.at, at, table->dialect);
    csv_place(s->place, c->file, 1, c->sample.at, at, table->dialect);
    s->is_first = seen->bad_cell.at < c->look->text.at &&
                  c->settings->header == CSV_HEADER_AUTO;
    s->hint = is_short && seen->what == CSV_CELL_BAD
                  ? csv_cell_hint(s->room, &c->settings->spec, table->dialect,
                                  content, table->name[field],
                                  !s->is_first &&
                                      csv_is_first_again(table, c->sample, at))
                  : NULL;
}

/* Notes a column that is left out although it looks like numbers. */
static void note_left_out(const struct csv_table *table,
                          const struct csv_choice *c, size_t field)
{
    static const char kind[] = "left out";
    struct bad_cell s;
    describe(table, c, field, &s);
    if (c->look->seen[field].what == CSV_CELL_TOO_LONG)
        notes_add(c->settings->notes, kind, NOTE_ASSUMED, c->file,
                  "column %s is left out: a field on line %" PRIu64
                  " has over %d bytes",
                  s.column, s.line, CSV_FIELD_MAX);
    else
        notes_add(c->settings->notes, kind, NOTE_ASSUMED, c->file,
                  "column %s is left out: %s on line %" PRIu64
                  " is not a number%s%s",
                  s.column, s.cell, s.line, s.hint ? "; try " : "",
                  s.hint ? s.hint : "");
}

/* Notes how many such columns have no note of their own. */
static void note_more_left_out(const struct csv_choice *c, size_t count)
{
    if (count <= LEFT_OUT_SHOWN)
        return;
    size_t more = count - LEFT_OUT_SHOWN;
    notes_add(c->settings->notes, "left out", NOTE_ASSUMED, c->file,
              "%zu more column%s left out likewise", more,
              more == 1 ? " is" : "s are");
}

/* A line that offers -d , if the field's bad cell has a comma and the program
 * guessed another delimiter; "" otherwise. A header confirms the guess, since
 * the delimiter splits it, too. */
static const char *or_comma(const struct csv_table *table,
                            const struct csv_choice *c, size_t field)
{
    const struct csv_span cell = c->look->seen[field].bad_cell;
    return c->settings->delimiter == CSV_AUTO && !table->has_header &&
                   table->dialect.delimiter != ',' && table->fields > 1 &&
                   memchr(cell.at, ',', cell.bytes)
               ? "\nOr -d , if commas separate the fields"
               : "";
}

static bool has_decimal_commas(const struct csv_seen *seen)
{
    return seen->others > 0 && seen->commas == seen->others;
}

/* Whether ragged records are an error and there is one before `at`, or anywhere
 * if `at` is NULL. */
static bool has_ragged(const struct csv_choice *c, const char *at)
{
    return c->settings->spec.ragged == CSV_RAGGED_ERROR && c->look->ragged &&
           (!at || c->look->ragged < at);
}

static bool ragged(const struct csv_table *table, const struct csv_choice *c,
                   struct error *e)
{
    uint64_t line =
        1 + csv_lines(c->sample.at, c->look->ragged, table->dialect);
    return csv_ragged(c->file, table, line, c->look->ragged,
                      c->look->ragged_fields, !c->settings->spec.compares, e);
}

/* Refuses a column of decimal commas instead of leaving it out: an error is
 * better than results that silently lack this column. */
static bool refuse_commas(const struct csv_table *table,
                          const struct csv_choice *c, size_t field,
                          struct error *e)
{
    struct bad_cell s;
    if (has_ragged(c, c->look->seen[field].bad_cell.at))
        return ragged(table, c, e);
    describe(table, c, field, &s);
    return error_set(e, ERROR_DATA,
                     "%s: not a number, but one with a decimal comma: %s "
                     "(column %s)\n"
                     "Try %s (or --exclude %zu to leave the column out)%s",
                     s.place, s.cell, s.column, s.hint ? s.hint : "--decimal ,",
                     field + 1, or_comma(table, c, field));
}

/* Reports the quote that is still open at the end of the sample. */
static bool never_closed(const struct csv_table *table,
                         const struct csv_choice *c, struct error *e)
{
    const struct csv_span *text = &c->look->text;
    const struct csv_span record = {text->at + c->look->at,
                                    text->bytes - c->look->at};
    uint64_t line = 1 + csv_lines(c->sample.at, record.at, table->dialect);
    return csv_never_closed(c->file, table->dialect, line, record, e);
}

/* How much the hint for the field's bad cell says: most, if it makes the cell a
 * number; little, if it fits words, too. */
static int worth_of(const struct csv_table *table, const struct csv_choice *c,
                    size_t field)
{
    char room[CSV_HINT_MAX];
    const char *hint = csv_seen_hint(room, table, c, field);
    if (!hint)
        return 0;
    if (csv_is_amount(hint))
        return 2;
    return text_starts(hint, "-t ") || text_starts(hint, "--na ") ? 0
           : text_starts(hint, "-x ")                             ? 1
                                                                  : 2;
}

/* The field to show where no column is numeric: the first that an option would
 * make numbers, else the one with the most numbers, of these one whose cell has
 * a hint; table->fields: none. */
static size_t find_bad_field(const struct csv_table *table,
                             const struct csv_choice *c)
{
    const struct csv_seen *seen = c->look->seen;
    size_t best = table->fields;
    int worth = 0;
    for (size_t i = 0; i < table->fields; i++) {
        if (csv_is_taken(table, i) || seen[i].others == 0)
            continue;
        if (csv_is_written_otherwise(&seen[i]))
            return i;
        const int own = worth_of(table, c, i);
        if (best == table->fields || seen[i].numbers > seen[best].numbers ||
            (seen[i].numbers == seen[best].numbers && own > worth)) {
            best = i;
            worth = own;
        }
    }
    return best;
}

bool csv_no_numbers(const struct csv_table *table, const struct csv_choice *c,
                    struct error *e)
{
    char remedy[CSV_HINT_MAX];
    struct bad_cell s = {.hint = NULL};
    size_t field = find_bad_field(table, c);
    if (has_ragged(c, NULL))
        return ragged(table, c, e);
    if (c->look->end == CSV_RECORD_OPEN)
        return never_closed(table, c, e);
    if (field < table->fields)
        describe(table, c, field, &s);
    if (csv_remedy(table, c, remedy) && s.is_first)
        s.hint = NULL;
    if (field == table->fields)
        return error_named(e, ERROR_DATA, c->file,
                           "no column of numbers in its first records\n%s",
                           remedy);
    return error_set(e, ERROR_DATA,
                     "%s: no column of numbers in its first records: %s "
                     "(column %s)\n%s%s%s%s",
                     s.place, s.cell, s.column, s.hint ? "Try " : "",
                     s.hint ? s.hint : remedy,
                     s.is_first && (s.hint || c->look->seen[field].numbers > 0)
                         ? "\nOr --header yes if this line names the columns"
                         : "",
                     or_comma(table, c, field));
}

/* Whether the cell is a number followed by CR. Lines end with CR CR LF where a
 * program on Windows wrote CR LF to a file in text mode, which turns each LF
 * into CR LF. */
static bool is_number_and_cr(const struct csv_table *table,
                             const struct csv_choice *c, struct csv_span cell)
{
    uint64_t bits;
    if (cell.bytes == 0 || cell.at[--cell.bytes] != '\r')
        return false;
    return csv_cell_is_number(
        csv_cell_read(&c->settings->spec, table->dialect, cell, &bits));
}

/* Whether all records of the input were looked at. */
static bool saw_all(const struct csv_choice *c)
{
    const struct csv_span *seen = &c->look->text;
    return c->is_all &&
           seen->at + seen->bytes == c->sample.at + c->sample.bytes;
}

/* Notes columns that have no value in the records that were looked at. They may
 * have some after these. */
static void note_empty(const struct csv_table *table,
                       const struct csv_choice *c)
{
    char quoted[QUOTE_MAX];
    size_t first = 0, count = 0;
    const bool is_all = saw_all(c) && !c->settings->others_follow;
    for (size_t i = 0; !is_all && i < table->fields; i++) {
        const struct csv_seen *seen = &c->look->seen[i];
        if (csv_is_taken(table, i) || seen->others + seen->numbers > 0)
            continue;
        if (count++ == 0)
            first = i;
    }
    if (count == 0 || c->look->records == 0)
        return;
    const struct csv_span name = csv_name(table, first);
    notes_add(c->settings->notes, "empty", NOTE_ASSUMED, c->file,
              "column %s%s left out: the first %zu records have no value there",
              quote_bytes(quoted, name.at, name.bytes),
              count > 1 ? " and others are" : " is", c->look->records);
}

bool csv_check_left_out(const struct csv_table *table,
                        const struct csv_choice *c, struct error *e)
{
    size_t count = 0;
    for (size_t i = 0; i < table->fields; i++) {
        const struct csv_seen *seen = &c->look->seen[i];
        if (csv_is_taken(table, i) || seen->others == 0)
            continue;
        if (has_decimal_commas(seen))
            return refuse_commas(table, c, i, e);
        if (csv_mostly_numbers(seen) || seen->what == CSV_CELL_TOO_LONG ||
            csv_is_written_otherwise(seen) || csv_is_cut_wrong(table, c, i) ||
            csv_is_told(seen) || is_number_and_cr(table, c, seen->bad_cell)) {
            if (count++ < LEFT_OUT_SHOWN)
                note_left_out(table, c, i);
        }
    }
    note_more_left_out(c, count);
    note_empty(table, c);
    return true;
}

/* Marks the fields that are columns of `like` or excluded. A table of the same
 * names has taken none yet, and has the same numbers. A name to exclude may be
 * missing here. */
static void take_known(struct csv_table *table, const struct csv_choice *c,
                       const struct csv_table *like)
{
    const size_t columns = table->columns;
    const bool is_same = csv_names_same(table, like);
    struct error unused;
    for (size_t i = 0; is_same && i < csv_columns(like); i++)
        csv_select_field(table, like->field_of[i]);
    if (c->settings->exclude)
        csv_select_list(table, c, "exclude", c->settings->exclude, &unused);
    table->columns = columns;
}

void csv_note_unlike(struct csv_table *table, const struct csv_choice *c,
                     const struct csv_table *like)
{
    char quoted[QUOTE_MAX];
    size_t first = 0, count = 0;
    if (csv_is_list(c->settings) || c->settings->matches ||
        table->fields == 0 || like->fields == 0)
        return;
    take_known(table, c, like);
    /* The first column has no name if it holds row numbers. */
    for (size_t i = table->has_header && csv_name(table, 0).bytes == 0;
         i < table->fields; i++) {
        if (csv_is_taken(table, i) || !csv_mostly_numbers(&c->look->seen[i]))
            continue;
        if (count++ == 0)
            first = i;
    }
    if (count == 0)
        return;
    const struct csv_span name = csv_name(table, first);
    notes_add(c->settings->notes, "unlike", NOTE_ASSUMED, c->file,
              "column %s%s left out: the first file has no such column of "
              "numbers",
              quote_bytes(quoted, name.at, name.bytes),
              count > 1 ? " and others are" : " is");
}
