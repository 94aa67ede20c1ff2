/* SPDX-License-Identifier: MIT */
/* Columns of numbers, of all rows or of selected ones. */
#include <stdlib.h>
#include <string.h>

#include "csv/decode_parts.h"
#include "csv/number/number.h"

static void store(void *values, size_t i, enum dtype dtype, uint64_t bits)
{
    size_t size = dtype_info(dtype)->size;
    memcpy((char *)values + i * size, &bits, size);
}

/* Decodes a cell that the loops did not parse. Returns false after an error,
 * since the rows after it no longer matter. */
static bool decode_slowly(struct csv_decoder *d, const struct csv_cells *cells,
                          size_t row, long field, struct column *out)
{
    const struct csv_spec *spec = d->spec;
    struct csv_span span = csv_decoder_field(d, cells, row);
    uint64_t bits = 0;
    enum csv_cell cell = span.bytes == 0
                             ? CSV_CELL_MISSING
                             : csv_cell_read(spec, d->dialect, span, &bits);
    out->rounded += cell == CSV_CELL_ROUNDED;
    if (cell == CSV_CELL_NUMBER || cell == CSV_CELL_ROUNDED) {
        ((uint32_t *)d->kept.rows.at)[out->n] = (uint32_t)row;
        store(d->kept.values.at, out->n++, spec->dtype, bits);
        return true;
    }
    if (csv_cell_is_number(cell)) {
        if (csv_wide_add(&d->kept.wide, row, cell == CSV_CELL_WIDE_MINUS, bits))
            return true;
        cell = CSV_CELL_NO_MEMORY;
    }
    out->missing += cell == CSV_CELL_MISSING;
    if (cell == CSV_CELL_BAD && spec->skip_bad)
        ((uint32_t *)d->kept.bad_rows.at)[out->bad] = (uint32_t)row;
    out->bad += cell == CSV_CELL_BAD;
    if ((cell == CSV_CELL_MISSING && !spec->missing_is_error) ||
        (cell == CSV_CELL_BAD && spec->skip_bad))
        return true;
    csv_note_error(&d->first_error, csv_decoder_row(d, row), field,
                   (size_t)(span.at - d->text.at), cell);
    return false;
}

struct csv_cells csv_decoder_cells(struct csv_decoder *d, size_t column,
                                   size_t *alone)
{
    const size_t field = d->given->table->field_of[column];
    struct csv_cells c = {d->digits,
                          d->end.at,
                          d->rows.n,
                          d->fields,
                          d->is_few ? d->few.place[column] : field,
                          number_powers(),
                          d->pass,
                          d->dialect.quotes && d->dialect.quote == '"',
                          alone};
    if (d->rows.first_end && !(d->rows.is_matrix && field > 0)) {
        csv_pad_cells(&d->rows, d->text, d->dialect, &d->end, field,
                      d->pad_room.at);
        c.ends = d->pad_room.at;
        c.fields = 3;
        c.field = 1;
    }
    return c;
}

/* Makes *cells describe only the selected rows, with three ends for each as
 * csv_pad_cells writes them. */
static void select_cells(struct csv_decoder *d, struct csv_cells *cells,
                         const struct mask *mask)
{
    uint32_t *to = d->mask_room.at;
    for (size_t i = 0; i < mask->count; i++, to += 3) {
        const struct csv_span cell = csv_decoder_field(d, cells, mask->row[i]);
        const uint32_t start = (uint32_t)(cell.at - d->text.at);
        to[0] = start - 1;
        to[1] = to[2] = start + (uint32_t)cell.bytes;
    }
    cells->ends = d->mask_room.at;
    cells->rows = mask->count;
    cells->fields = 3;
    cells->field = 1;
}

/* Replaces row numbers that count only selected rows by row numbers of the
 * chunk. */
static void map_rows(struct csv_decoder *d, const struct mask *mask,
                     struct column *out)
{
    uint32_t *rows = d->kept.rows.at, *bad = d->kept.bad_rows.at;
    if (!out->rows)
        out->rows = mask->row;
    else
        for (size_t i = 0; i < out->n; i++)
            rows[i] = mask->row[rows[i]];
    for (size_t i = 0; out->bad_rows && i < out->bad; i++)
        bad[i] = mask->row[bad[i]];
    for (size_t i = 0; i < out->wides; i++)
        d->kept.wide.at[i].index = mask->row[d->kept.wide.at[i].index];
}

/* The same for texts. */
static void map_texts(struct csv_decoder *d, const struct mask *mask,
                      const struct column *out)
{
    struct text_cell *cell = d->kept.cells.at;
    for (size_t i = 0; out->texts && i < out->n; i++)
        cell[i].row = mask->row[cell[i].row];
    for (size_t i = 0; out->ends && i < 2; i++)
        d->ends[i].row = mask->row[d->ends[i].row];
}

static bool make_rooms(struct csv_decoder *d, const struct mask *mask)
{
    const size_t rows = d->rows.n + 1;
    struct error e;
    return csv_have_room(&d->kept.values,
                         rows * dtype_info(d->spec->dtype)->size, &e) &&
           csv_have_room(&d->kept.rows, rows * sizeof(uint32_t), &e) &&
           (!d->spec->skip_bad ||
            csv_have_room(&d->kept.bad_rows, rows * sizeof(uint32_t), &e)) &&
           (!mask ||
            csv_have_room(&d->mask_room,
                          3 * (mask->count + 1) * sizeof(uint32_t), &e));
}

static void decode_numbers(struct csv_decoder *d, struct csv_cells *cells,
                           long field, struct column *out)
{
    size_t row = 0;
    csv_parse_fn *parse = d->loops->parse[d->spec->dtype];
    out->bad_rows = d->spec->skip_bad ? d->kept.bad_rows.at : NULL;
    out->values = d->kept.values.at;
    if (d->spec->notation.thousands_bytes || d->spec->notation.strip_bytes)
        d->loops->plain(cells, &d->spec->notation, d->digits);
    /* The loops would parse a missing-value word that looks like a number as a
     * value. Where a missing value is an error, the slow path finds such a word
     * and reports it at its cell. */
    bool fast = !d->spec->is_bool &&
                !(d->spec->missing_is_error && d->number_words > 0);
    while (row < cells->rows) {
        if (fast) {
            size_t from = row, before = out->n;
            row =
                parse(cells, row, d->kept.values.at, d->kept.rows.at, &out->n);
            if (d->number_words > 0)
                csv_decoder_drop(d, cells, before, &out->n);
            out->missing += (row - from) - (out->n - before);
        }
        if (row < cells->rows && !decode_slowly(d, cells, row++, field, out))
            break;
    }
    out->rows = out->n < cells->rows ? d->kept.rows.at : NULL;
    out->wide = d->kept.wide.at;
    out->wides = d->kept.wide.n;
}

void csv_decode_wanted(struct csv_decoder *d, const struct csv_wanted *wanted,
                       struct column *out)
{
    const struct csv_table *table = d->given->table;
    const struct mask *mask = wanted->mask;
    const size_t rows = mask ? mask->count : d->rows.n;
    size_t alone = 1;
    *out = (struct column){.dtype = d->spec->dtype,
                           .n = d->spec->rows_only ? rows : 0};
    d->kept.wide.n = 0;
    d->row_of = mask ? mask->row : NULL;
    if (rows == 0 || (d->spec->rows_only && !wanted->is_input))
        return;
    /* The check above comes first, since a file without records has no columns.
     */
    const bool is_text =
        wanted->as_text || (d->spec->texts && !wanted->is_input &&
                            csv_is_text_column(table, wanted->column));
    const long field = (long)table->field_of[wanted->column];
    if (!make_rooms(d, mask)) {
        csv_note_error(&d->first_error, 0, field, 0, CSV_CELL_NO_MEMORY);
        return;
    }
    out->n = 0;
    struct csv_cells cells = csv_decoder_cells(d, wanted->column, &alone);
    if (mask)
        select_cells(d, &cells, mask);
    if (is_text) {
        csv_decoder_texts(d, &cells, field,
                          wanted->as_text || d->spec->all_texts, out);
        if (mask)
            map_texts(d, mask, out);
        return;
    }
    decode_numbers(d, &cells, field, out);
    if (table->has_weight && wanted->column == table->weight &&
        !wanted->is_input)
        csv_decoder_check_weights(d, &cells, field, out);
    if (mask)
        map_rows(d, mask, out);
}

void csv_decode_column(struct csv_decoder *d, size_t column, struct column *out)
{
    const struct csv_wanted wanted = {.column = column};
    csv_decode_wanted(d, &wanted, out);
}

void csv_decode_keep(struct csv_decoder *d, struct csv_kept *kept)
{
    const struct csv_kept own = d->kept;
    d->kept = *kept;
    *kept = own;
}

void csv_kept_free(struct csv_kept *kept)
{
    free(kept->values.at);
    free(kept->rows.at);
    free(kept->bad_rows.at);
    free(kept->cells.at);
    free(kept->unquoted.at);
    free(kept->wide.at);
}
