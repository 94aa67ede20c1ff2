/* SPDX-License-Identifier: MIT */
/* Columns of text, cell by cell. */
#include "csv/decode_parts.h"

/* Sets *text to the text of a row's cell, without its quotes and the blanks
 * around it, as names are read. A text that must be copied to undo its quotes
 * is in `room`. False: no memory. */
static bool read_text(const struct csv_decoder *d,
                      const struct csv_cells *cells, size_t row,
                      struct csv_room *room, struct csv_span *text)
{
    struct error e;
    const struct csv_dialect dialect = d->dialect;
    *text = csv_trim(csv_decoder_field(d, cells, row));
    if (text->bytes == 0 || !dialect.quotes ||
        text->at[0] != (char)dialect.quote)
        return true;
    if (!csv_have_room(room, text->bytes, &e))
        return false;
    csv_undo_quotes(*text, dialect, room->at, text);
    *text = csv_trim(*text);
    return true;
}

/* Notes an error in a cell. Returns false, which the caller returns, too. */
static bool note(struct csv_decoder *d, const struct csv_cells *cells,
                 size_t row, long field, enum csv_cell what)
{
    const char *at = csv_decoder_field(d, cells, row).at;
    csv_note_error(&d->first_error, csv_decoder_row(d, row), field,
                   (size_t)(at - d->text.at), what);
    return false;
}

/* Counts the cells up to one that is an error, and sets the rows of the first
 * and the last that is present. */
static bool count_texts(struct csv_decoder *d, const struct csv_cells *cells,
                        long field, struct column *out, size_t ends[2])
{
    const struct csv_words *words = &d->spec->words;
    for (size_t row = 0; row < cells->rows; row++) {
        struct csv_span text;
        if (!read_text(d, cells, row, &d->quoted_room[0], &text))
            return note(d, cells, row, field, CSV_CELL_NO_MEMORY);
        if (text.bytes > 0 && !csv_words_have_own(words, text.at, text.bytes)) {
            ends[0] = out->n++ > 0 ? ends[0] : row;
            ends[1] = row;
            continue;
        }
        out->missing++;
        if (d->spec->missing_is_error)
            return note(d, cells, row, field, CSV_CELL_MISSING);
    }
    return true;
}

struct csv_span csv_decoder_text(const struct csv_decoder *d,
                                 const struct csv_cells *cells, size_t row,
                                 char **room)
{
    struct csv_span text = csv_trim(csv_decoder_field(d, cells, row));
    if (text.bytes == 0 || !d->dialect.quotes ||
        text.at[0] != (char)d->dialect.quote)
        return text;
    csv_undo_quotes(text, d->dialect, *room, &text);
    if (text.at == *room)
        *room += text.bytes;
    return csv_trim(text);
}

/* Lists the texts up to a cell that is an error: the rows before it may have an
 * error that comes first. All copies together have at most as many bytes as the
 * chunk's text. */
static void list_texts(struct csv_decoder *d, const struct csv_cells *cells,
                       long field, struct column *out)
{
    const struct csv_words *words = &d->spec->words;
    struct error e;
    if (!csv_have_room(&d->kept.cells, cells->rows * sizeof *out->texts, &e) ||
        !csv_have_room(&d->kept.unquoted, d->text.bytes + 1, &e)) {
        note(d, cells, 0, field, CSV_CELL_NO_MEMORY);
        return;
    }
    struct text_cell *cell = d->kept.cells.at;
    char *room = d->kept.unquoted.at;
    out->texts = cell;
    for (size_t row = 0; row < cells->rows; row++) {
        const struct csv_span text = csv_decoder_text(d, cells, row, &room);
        if (text.bytes > 0 && !csv_words_have_own(words, text.at, text.bytes)) {
            cell[out->n++] = (struct text_cell){text.at, (uint32_t)text.bytes,
                                                (uint32_t)row};
            continue;
        }
        out->missing++;
        if (d->spec->missing_is_error) {
            note(d, cells, row, field, CSV_CELL_MISSING);
            return;
        }
    }
}

/* Lists all texts of a column, and sets the first and the last. */
static void all_texts(struct csv_decoder *d, const struct csv_cells *cells,
                      long field, struct column *out)
{
    list_texts(d, cells, field, out);
    if (out->n == 0) {
        out->texts = NULL;
        return;
    }
    d->ends[0] = out->texts[0];
    d->ends[1] = out->texts[out->n - 1];
    out->ends = d->ends;
}

void csv_decoder_texts(struct csv_decoder *d, const struct csv_cells *cells,
                       long field, bool all, struct column *out)
{
    size_t ends[2] = {0, 0};
    if (all) {
        all_texts(d, cells, field, out);
        return;
    }
    if (!count_texts(d, cells, field, out, ends) || out->n == 0)
        return;
    for (int i = 0; i < 2; i++) {
        struct csv_span text;
        if (!read_text(d, cells, ends[i], &d->quoted_room[i], &text)) {
            note(d, cells, ends[i], field, CSV_CELL_NO_MEMORY);
            return;
        }
        d->ends[i] = (struct text_cell){text.at, (uint32_t)text.bytes,
                                        (uint32_t)ends[i]};
    }
    out->ends = d->ends;
}
