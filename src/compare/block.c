/* SPDX-License-Identifier: MIT */
#include "compare/block.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t room_of(const struct compare_job *job, unsigned input)
{
    return job->chunk_bytes[input] + job->reading->chunker->slack;
}

bool compare_reader_open(struct compare_reader *r,
                         const struct compare_job *job, struct error *e)
{
    const struct decoder_options decoding = {.dtype = job->dtype[0],
                                             .text = job->text};
    *r = (struct compare_reader){.job = job};
    if (!job->text)
        return true;
    r->buffer = malloc(room_of(job, 0));
    if (!r->buffer)
        return error_memory(e);
    r->decoder = job->reading->decoder->open(&decoding, e);
    if (r->decoder)
        return true;
    free(r->buffer);
    return false;
}

void compare_reader_close(struct compare_reader *r)
{
    r->job->reading->decoder->close(r->decoder);
    free(r->buffer);
}

/* Moves each value to its row, and marks the rows without a value. */
static bool spread(struct compare_column *to, const struct column *from,
                   size_t rows, size_t size)
{
    const char *values = from->values;
    to->gap = malloc(rows);
    to->wide = malloc((from->wides + 1) * sizeof *to->wide);
    if (!to->gap || !to->wide)
        return false;
    memset(to->gap, COMPARE_MISSING, rows);
    for (size_t i = 0; i < from->n; i++) {
        const size_t row = from->rows ? from->rows[i] : i;
        memcpy(to->values + row * size, values + i * size, size);
        to->gap[row] = COMPARE_VALUE;
    }
    for (size_t i = 0; i < from->wides; i++) {
        to->wide[i] = from->wide[i];
        to->gap[from->wide[i].index] = COMPARE_WIDE;
    }
    to->wides = from->wides;
    return true;
}

/* Copies a decoded column, since the decoder overwrites it when it decodes the
 * next. */
static bool keep_column(struct compare_column *to, const struct column *from,
                        size_t rows)
{
    const size_t size = dtype_info(from->dtype)->size;
    to->values = malloc(rows * size + 1);
    if (!to->values)
        return false;
    if (from->n < rows)
        return spread(to, from, rows, size);
    if (rows > 0) /* else there may be no values */
        memcpy(to->values, from->values, rows * size);
    return true;
}

static bool decode_columns(struct compare_reader *r, struct compare_block *b,
                           struct error *e)
{
    const struct decoder_kind *kind = r->job->reading->decoder;
    const size_t columns = b->chunk.input->table->columns;
    struct column column;
    b->column = calloc(columns + 1, sizeof *b->column);
    if (!b->column)
        return error_memory(e);
    b->columns = columns;
    for (size_t c = 0; c < columns; c++) {
        kind->column(r->decoder, c, &column);
        b->rounded += column.rounded;
        if (!keep_column(&b->column[c], &column, b->rows))
            return error_memory(e);
    }
    return kind->end(r->decoder, e);
}

static bool decode(struct compare_reader *r, struct compare_block *b,
                   struct error *e)
{
    uint64_t start = meter_now(), skipped;
    bool ok = r->job->reading->decoder->begin(r->decoder, &b->chunk, &b->rows,
                                              &skipped, e) &&
              decode_columns(r, b, e);
    meter_add(r->job->meter, STAGE_DECODE, start, b->chunk.bytes);
    return ok;
}

/* The error comes before all rows of the block. */
static void fail(struct compare_block *b)
{
    b->failed = true;
    b->rows = 0;
}

static void read_records(struct compare_reader *r, struct chunker *chunker,
                         struct compare_block *b)
{
    if (b->chunk.bytes > 0 && !decode(r, b, &b->error)) {
        fail(b);
    } else if (b->chunk.error_after) {
        b->failed = true;
        b->error = *b->chunk.error_after;
    }
    struct error e;
    b->is_held = false;
    if (!r->job->reading->chunker->done(chunker, &b->chunk, &e) && !b->failed) {
        b->error = e;
        fail(b);
    }
}

bool compare_block_room(struct compare_block *b, const struct compare_job *job,
                        unsigned input)
{
    if (!job->text)
        b->buffer = malloc(room_of(job, input));
    return job->text || b->buffer;
}

enum chunk_next compare_block_cut(struct compare_reader *r,
                                  struct chunker *chunker,
                                  struct compare_block *b, unsigned input)
{
    const struct want want = {r->job->text ? r->buffer : b->buffer,
                              r->job->chunk_bytes[input], true};
    enum chunk_next next =
        r->job->reading->chunker->next(chunker, &want, &b->chunk, &b->error);
    b->is_held = next == CHUNK_READY;
    if (next == CHUNK_ERROR)
        fail(b);
    return next;
}

/* Ends the block before an element that is neither 0 nor 1. */
static void check_bools(struct compare_block *b, const struct input *input)
{
    const unsigned char *element = b->chunk.data;
    uint64_t i = 0;
    while (i < b->rows && element[i] <= 1)
        i++;
    if (i == b->rows)
        return;
    error_named(&b->error, ERROR_DATA, input->name,
                "element %" PRIu64 " is %d, but a bool is 0 or 1; of raw "
                "data, --dtype u8 reads other values",
                b->chunk.first + i, element[i]);
    b->rows = i;
    b->failed = true;
}

void compare_block_decode(struct compare_reader *r, struct chunker *chunker,
                          struct compare_block *b, const struct input *input)
{
    b->rows = b->chunk.n;
    b->rows_bytes = chunk_data_bytes(&b->chunk);
    if (r->job->text)
        read_records(r, chunker, b);
    else if (input->is_bool)
        check_bools(b, input);
    atomic_fetch_add_explicit(&r->job->meter->cut, b->rows_bytes,
                              memory_order_relaxed);
}

bool compare_block_free(const struct compare_job *job, struct chunker *chunker,
                        struct compare_block *b, struct error *e)
{
    bool ok = !b->is_held || job->reading->chunker->done(chunker, &b->chunk, e);
    for (size_t c = 0; c < b->columns; c++) {
        free(b->column[c].values);
        free(b->column[c].gap);
        free(b->column[c].wide);
    }
    free(b->column);
    free(b->buffer);
    return ok;
}
