/* SPDX-License-Identifier: MIT */
#include "csv/decode.h"

#include <stdlib.h>
#include <string.h>

#include "csv/number.h"
#include "csv/offence.h"
#include "csv/record.h"

/* Memory that is grown and never given back before the end. */
struct room {
    void *at;
    size_t bytes;
};

struct csv_decoder {
    const struct csv_spec *spec;
    const struct csv_loops *loops;
    const struct csv_text *text;
    struct room ends, values, rows;
    struct csv_ends end;
    size_t row_count;
    struct csv_offence offence; /* the first so far */
};

struct csv_decoder *csv_decoder_new(const struct csv_spec *spec, bool portable,
                                    struct error *e)
{
    struct csv_decoder *d = calloc(1, sizeof *d);
    if (!d) {
        error_set(e, ERROR_DATA, "out of memory");
        return NULL;
    }
    d->spec = spec;
    d->loops = portable ? &csv_loops_base : csv_loops(0);
    return d;
}

void csv_decoder_free(struct csv_decoder *d)
{
    if (!d)
        return;
    free(d->ends.at);
    free(d->values.at);
    free(d->rows.at);
    free(d);
}

static bool have_room(struct room *room, size_t bytes, struct error *e)
{
    if (room->bytes >= bytes)
        return true;
    free(room->at);
    room->bytes = bytes + bytes / 4;
    room->at = malloc(room->bytes);
    if (!room->at)
        room->bytes = 0;
    return room->at || error_set(e, ERROR_DATA, "out of memory");
}

/* The ends by the definition, for text whose quotes cannot be counted. */
static void ends_by_steps(const struct csv_text *text, struct csv_ends *out)
{
    enum csv_state state = CSV_RECORD;
    out->n = out->records = 0;
    for (size_t i = 0; i < text->bytes; i++) {
        state = csv_step(state, (unsigned char)text->at[i],
                         text->table->delimiter);
        if (state <= CSV_FIELD)
            out->at[out->n++] = (uint32_t)i;
        out->records += state == CSV_RECORD;
    }
}

/* Whether every record has its fields, and there are no blank lines: then the
 * ends are rows of a matrix. */
static bool is_regular(const struct csv_text *text, const struct csv_ends *end)
{
    size_t fields = text->table->fields, start = 0;
    if (fields == 0 || end->n != end->records * fields)
        return false;
    bool ok = true;
    for (size_t r = 0; r < end->records; r++) {
        uint32_t last = end->at[r * fields + fields - 1];
        /* In a record of one field a blank line would pass for one. */
        ok &= text->at[last] == '\n' && text->at[start] > '\r';
        if (!ok)
            return false;
        start = last + 1;
    }
    return true;
}

/* Takes out the blank lines and stops at a record of another length. Text in
 * a mapping may change meanwhile: nothing but `n` ends the ends. */
static size_t make_regular(struct csv_decoder *d)
{
    const struct csv_text *text = d->text;
    struct csv_span span = {text->at, text->bytes};
    uint32_t *ends = d->end.at;
    size_t rows = 0, kept = 0, start = 0;
    for (size_t k = 0; k < d->end.n;) {
        size_t behind = csv_skip_blank(span, start);
        for (; start < behind && k < d->end.n; k++)
            start = ends[k] + 1;
        if (k == d->end.n)
            break;
        size_t fields = 0;
        do {
            if (fields++ < text->table->fields)
                ends[kept++] = ends[k];
        } while (text->at[ends[k++]] != '\n' && k < d->end.n);
        if (fields != text->table->fields) {
            csv_offend(&d->offence, rows, -1, start, fields);
            break;
        }
        start = ends[k - 1] + 1;
        rows++;
    }
    return rows;
}

/* Stops at a record of over CSV_RECORD_MAX, which a window of that size may
 * hold; the dealer has refused those that do not fit one. */
static void check_lengths(struct csv_decoder *d)
{
    const size_t fields = d->text->table->fields;
    size_t start = 0;
    if (d->text->bytes <= CSV_RECORD_MAX)
        return;
    for (size_t r = 0; r < d->row_count; r++) {
        size_t end = d->end.at[(r + 1) * fields - 1] + 1;
        if (end - start > CSV_RECORD_MAX) {
            csv_offend(&d->offence, r, -1, start, SIZE_MAX);
            d->row_count = r;
        }
        start = end;
    }
}

bool csv_decode_begin(struct csv_decoder *d, const struct csv_text *text,
                      size_t *rows, struct error *e)
{
    d->text = text;
    d->offence = csv_no_offence();
    if (!have_room(&d->ends, (text->bytes + 64) * sizeof *d->end.at, e))
        return false;
    d->end.at = d->ends.at;
    if (!d->loops->ends(text->at, text->bytes, text->table->delimiter,
                        &d->end))
        ends_by_steps(text, &d->end);
    d->row_count = is_regular(text, &d->end) ? d->end.records : make_regular(d);
    check_lengths(d);
    *rows = d->row_count;
    size_t size = dtype_info(d->spec->dtype)->size;
    return have_room(&d->values, (d->row_count + 1) * size, e) &&
           have_room(&d->rows, (d->row_count + 1) * sizeof(uint32_t), e);
}

/* The bytes of a field, without a CR that belongs to the line's end. */
static struct csv_span field_of(const struct csv_decoder *d, size_t row,
                                size_t field)
{
    const struct csv_text *text = d->text;
    size_t fields = text->table->fields, place = row * fields + field;
    size_t end = d->end.at[place], start = 0;
    if (place > 0)
        start = d->end.at[place - 1] + 1;
    if (field == 0)
        start = csv_skip_blank((struct csv_span){text->at, end}, start);
    if (field + 1 == fields && end > start && text->at[end - 1] == '\r')
        end--;
    return (struct csv_span){text->at + start, end - start};
}

static void store(void *values, size_t i, enum dtype dtype, uint64_t bits)
{
    size_t size = dtype_info(dtype)->size;
    memcpy((char *)values + i * size, &bits, size);
}

/* Takes the cell that the loop left. False: there is no use in going on. */
static bool take_cell(struct csv_decoder *d, size_t row, size_t field,
                      struct csv_column *out)
{
    const struct csv_spec *spec = d->spec;
    struct csv_span span = field_of(d, row, field);
    uint64_t bits = 0;
    enum csv_cell cell = csv_cell_read(spec, span, &bits);
    if (cell == CSV_CELL_NUMBER) {
        ((uint32_t *)d->rows.at)[out->n] = (uint32_t)row;
        store(d->values.at, out->n++, spec->dtype, bits);
        return true;
    }
    out->missing += cell == CSV_CELL_MISSING;
    out->bad += cell == CSV_CELL_BAD;
    if ((cell == CSV_CELL_MISSING && !spec->missing_is_error) ||
        (cell == CSV_CELL_BAD && spec->skip_bad))
        return true;
    csv_offend(&d->offence, row, (long)field,
               (size_t)(span.at - d->text->at), cell);
    return false;
}

void csv_decode_column(struct csv_decoder *d, size_t column,
                       struct csv_column *out)
{
    const struct csv_table *table = d->text->table;
    *out = (struct csv_column){.values = d->values.at};
    if (d->row_count == 0 || d->spec->rows_only)
        return;
    size_t field = table->field_of[column], row = 0, alone = 1;
    struct csv_cells cells = {
        d->text->at,   d->end.at, d->row_count,
        table->fields, field,     number_powers(),
        d->spec->missing_is_error ? NULL : &d->spec->words,
        &alone};
    csv_parse_fn *parse = d->loops->parse[d->spec->dtype];
    while (row < d->row_count) {
        if (!d->spec->words_first) {
            size_t from = row, before = out->n;
            row = parse(&cells, row, d->values.at, d->rows.at, &out->n);
            out->missing += (row - from) - (out->n - before);
        }
        if (row < d->row_count && !take_cell(d, row++, field, out))
            break;
    }
    out->rows = out->n < d->row_count ? d->rows.at : NULL;
}

bool csv_decode_end(struct csv_decoder *d, struct error *e)
{
    return csv_check(&d->offence, d->spec, d->text, e);
}
