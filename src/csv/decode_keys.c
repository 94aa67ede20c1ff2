/* SPDX-License-Identifier: MIT */
/* Reads the texts of keys: one cell of each row. */
#include <string.h>

#include "csv/decode_parts.h"

/* The first and last bytes of cells that read_closely must read: cells that
 * begin with a blank, a quote, a comment character, a line end or the first
 * byte of a word of --na, or end with a blank or CR. */
struct closely {
    bool first[256], last[256];
};

static void find_closely(const struct csv_decoder *d, struct closely *c)
{
    const struct csv_words *words = &d->spec->words;
    memset(c, 0, sizeof *c);
    c->first[' '] = c->first['\t'] = c->first['\r'] = c->first['\n'] = true;
    c->last[' '] = c->last['\t'] = c->last['\r'] = true;
    if (d->dialect.quotes)
        c->first[d->dialect.quote] = true;
    if (d->dialect.comments)
        c->first[d->dialect.comment] = true;
    for (unsigned b = 0; b < 256; b++)
        c->first[b] |=
            words->n > words->own && csv_words_start(words, (unsigned char)b);
}

static struct csv_span read_closely(const struct csv_decoder *d,
                                    const struct csv_cells *cells, size_t row,
                                    char **room)
{
    struct csv_span text = csv_decoder_text(d, cells, row, room);
    if (csv_words_have_own(&d->spec->words, text.at, text.bytes))
        text.bytes = 0;
    return text;
}

static void note(struct csv_decoder *d, const struct csv_cells *cells,
                 size_t row, size_t column, enum csv_cell what)
{
    const char *at = csv_decoder_field(d, cells, row).at;
    csv_note_error(&d->first_error, row,
                   (long)d->given->table->field_of[column],
                   (size_t)(at - d->text.at), what);
}

/* Reads all cells. Returns the first row selected by the mask whose cell is
 * missing, or the number of rows. */
static size_t read_keys(const struct csv_decoder *d,
                        const struct csv_cells *cells, char *room,
                        const struct mask *mask, struct text_cell *to)
{
    struct closely closely;
    size_t missing = cells->rows;
    const uint32_t *end = cells->ends + cells->field;
    find_closely(d, &closely);
    for (size_t row = 0; row < cells->rows; row++, end += cells->fields) {
        const size_t start = row + cells->field > 0 ? end[-1] + 1u : 0;
        const char *at = d->text.at + start;
        const uint32_t bytes = *end > start ? *end - (uint32_t)start : 0;
        if (bytes > 0 && !closely.first[(unsigned char)at[0]] &&
            !closely.last[(unsigned char)at[bytes - 1]]) {
            to[row] = (struct text_cell){at, bytes, (uint32_t)row};
            continue;
        }
        const struct csv_span text = read_closely(d, cells, row, &room);
        to[row] =
            (struct text_cell){text.at, (uint32_t)text.bytes, (uint32_t)row};
        if (text.bytes == 0 && missing == cells->rows &&
            (!mask || mask->selected[row]))
            missing = row;
    }
    return missing;
}

void csv_decode_keys(struct csv_decoder *d, size_t column, size_t key,
                     const struct mask *mask, struct text_cell *to)
{
    struct error e;
    size_t alone = 1;
    if (d->rows.n == 0)
        return;
    const struct csv_cells cells = csv_decoder_cells(d, column, &alone);
    if (!csv_have_room(&d->key_room[key], d->text.bytes + CSV_PADDING, &e)) {
        note(d, &cells, 0, column, CSV_CELL_NO_MEMORY);
        memset(to, 0, cells.rows * sizeof *to);
        for (size_t row = 0; row < cells.rows; row++)
            to[row].at = d->text.at;
        return;
    }
    const size_t missing = read_keys(d, &cells, d->key_room[key].at, mask, to);
    if (missing < cells.rows && d->spec->missing_is_error)
        note(d, &cells, missing, column, CSV_CELL_MISSING);
}
