/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "csv/decode_parts.h"
#include "csv/number/number.h"
#include "csv/structure/squeeze.h"

struct csv_decoder *csv_decoder_new(const struct csv_spec *spec, bool portable,
                                    struct error *e)
{
    struct csv_decoder *d = calloc(1, sizeof *d);
    if (!d)
        return error_memory(e);
    d->spec = spec;
    d->loops = portable ? &csv_loops_base : csv_loops(0);
    csv_decoder_words(d);
    return d;
}

void csv_decoder_free(struct csv_decoder *d)
{
    if (!d)
        return;
    csv_few_free(&d->few);
    free(d->end_room.at);
    free(d->row_room.at);
    free(d->text_room.at);
    free(d->digit_room.at);
    free(d->pad_room.at);
    free(d->quoted_room[0].at);
    free(d->quoted_room[1].at);
    free(d->mask_room.at);
    csv_kept_free(&d->kept);
    for (size_t k = 0; k < CSV_KEYS_MAX; k++)
        free(d->key_room[k].at);
    free(d);
}

/* Notes a record longer than CSV_RECORD_MAX as an error and drops the rows from
 * it on. The chunker refuses records that do not fit a record window, but a
 * window may be larger than CSV_RECORD_MAX. */
static void check_lengths(struct csv_decoder *d)
{
    size_t start = 0;
    if (d->given->bytes <= CSV_RECORD_MAX)
        return;
    for (size_t r = 0; r < d->rows.n; r++) {
        size_t end = csv_row_end(&d->rows, &d->end, d->fields, r);
        if (end - start > CSV_RECORD_MAX) {
            csv_note_error(&d->first_error, r, -1, start, SIZE_MAX);
            d->rows.n = r;
        }
        start = end;
    }
}

/* Memory for a copy of the text. The loops may read CSV_PADDING bytes before
 * and after the copy. */
static char *copy_room(struct csv_room *room, size_t bytes, struct error *e)
{
    if (!csv_have_room(room, bytes + 3 * CSV_PADDING, e))
        return NULL;
    return (char *)room->at + CSV_PADDING;
}

/* Whether a key, an expression or a column of text may need the field's text
 * as it is. */
static bool may_be_text(const struct csv_table *table, size_t field)
{
    for (size_t c = 0; c < csv_columns(table); c++) {
        if (table->field_of[c] == field)
            return table->keys > 0 || table->inputs > 0 || table->used ||
                   csv_is_text_column(table, c);
    }
    return false;
}

/* The field to which surplus words are joined, if its blanks matter. Only
 * csv_squeeze keeps them, and the loops are several times as fast. */
static size_t joined_field(const struct csv_decoder *d)
{
    const struct csv_table *table = d->given->table;
    bool joins = d->spec->ragged == CSV_RAGGED_PAD && table->fields > 0 &&
                 may_be_text(table, table->fields - 1);
    return joins ? table->fields - 1 : CSV_NONE_JOINED;
}

/* Copies the text. Replaces each run of blanks between two fields by a single
 * blank, which then delimits them. */
static bool squeeze_text(struct csv_decoder *d, struct error *e)
{
    const char *text = d->given->at;
    const size_t bytes = d->given->bytes;
    char *to = copy_room(&d->text_room, bytes, e);
    if (!to)
        return false;
    const size_t joined = joined_field(d);
    bool slowly = joined != CSV_NONE_JOINED || d->dialect.quotes ||
                  csv_has_comment(text, bytes, d->dialect);
    size_t n = slowly
                   ? csv_squeeze(text, bytes, d->dialect, joined, to)
                   : d->loops->squeeze(text, bytes, (char)d->dialect.end, to);
    d->text = (struct csv_span){to, n};
    d->dialect.blank = d->dialect.comments = false;
    return true;
}

/* Whether the text has both comments and quotes. Then counting quotes does not
 * find the fields, since a comment may contain an odd number of quotes. */
static bool has_quoted_comment(const struct csv_decoder *d)
{
    return d->dialect.quotes &&
           csv_has_comment(d->text.at, d->text.bytes, d->dialect) &&
           memchr(d->text.at, d->dialect.quote, d->text.bytes);
}

/* Finds the rows, keeping only the ends of the fields that are wanted. A stray
 * quote makes the search start again byte by byte. */
static bool find_few(struct csv_decoder *d, struct error *e)
{
    bool stray, by_steps = has_quoted_comment(d);
    if (!csv_few_choose(&d->few, d->given->table, e))
        return false;
    d->fields = d->few.n + 2;
    do {
        d->first_error = csv_no_error();
        if (!csv_few_rows(&d->few, d->loops, d->text, d->dialect, d->spec,
                          by_steps, &d->rows, &d->end, &d->first_error, &stray,
                          e))
            return false;
        by_steps = true;
    } while (stray);
    return true;
}

/* Finds the rows, keeping the ends of all fields. */
static bool find_all(struct csv_decoder *d, struct error *e)
{
    const struct csv_table *table = d->given->table;
    enum csv_state state = CSV_RECORD;
    if (!csv_have_room(&d->end_room, (d->text.bytes + 64) * sizeof *d->end.at,
                       e))
        return false;
    d->fields = table->fields;
    d->end = (struct csv_ends){.at = d->end_room.at};
    if (has_quoted_comment(d) ||
        !d->loops->ends(d->text.at, 0, d->text.bytes, d->dialect, &d->end))
        csv_ends_by_steps(d->text, 0, d->dialect, &state, &d->end);
    return csv_find_rows(&d->rows, d->text, d->dialect, &d->end, table->fields,
                         d->spec->ragged, table->dialect.blank, &d->row_room,
                         &d->first_error, e);
}

/* Sets `digits`. With a notation, it is a copy of the text with the decimal
 * mark and the point swapped, in which `loops->plain` later rewrites the cells
 * of each column. Without one, it is the text itself. */
static bool copy_digits(struct csv_decoder *d, struct error *e)
{
    const struct csv_notation *n = &d->spec->notation;
    d->digits = (char *)d->text.at;
    if (!n->used)
        return true;
    d->digits = copy_room(&d->digit_room, d->text.bytes, e);
    if (d->digits)
        d->loops->swap(d->text.at, d->text.bytes, n->decimal, '.', d->digits);
    return d->digits;
}

bool csv_decode_begin(struct csv_decoder *d, const struct csv_text *text,
                      size_t *rows, struct error *e)
{
    d->given = text;
    d->text = (struct csv_span){text->at, text->bytes};
    d->dialect = text->table->dialect;
    d->first_error = csv_no_error();
    if (d->dialect.blank && !squeeze_text(d, e))
        return false;
    d->is_few = csv_is_few(text->table);
    if (!(d->is_few ? find_few(d, e) : find_all(d, e)))
        return false;
    check_lengths(d);
    *rows = d->rows.n;
    return copy_digits(d, e) &&
           (!d->rows.first_end ||
            csv_have_room(&d->pad_room, d->rows.n * 3 * sizeof(uint32_t), e));
}

size_t csv_decode_skipped(const struct csv_decoder *d)
{
    return d->rows.skipped;
}

bool csv_decode_end(struct csv_decoder *d, struct error *e)
{
    struct csv_first_error o = d->first_error;
    if (o.row != SIZE_MAX && d->given->table->dialect.blank)
        o.start =
            csv_unsqueeze(d->given->at, d->given->bytes,
                          d->given->table->dialect, joined_field(d), o.start);
    return csv_check(&o, d->spec, d->given, e);
}

size_t csv_decode_failed(const struct csv_decoder *d)
{
    return d->first_error.row;
}

uint64_t csv_decode_line(const struct csv_decoder *d, size_t row)
{
    const struct csv_dialect dialect = d->given->table->dialect;
    size_t at = 0;
    if (row > 0)
        at = csv_row_end(&d->rows, &d->end, d->fields, row - 1);
    at = csv_skip_lines(d->text, at, d->dialect);
    if (dialect.blank)
        at = csv_unsqueeze(d->given->at, d->given->bytes, dialect,
                           joined_field(d), at);
    return d->given->line + csv_lines(d->given->at, d->given->at + at, dialect);
}
