/* SPDX-License-Identifier: MIT */
#include "chunk/decoder.h"

#include <stdlib.h>

#include "csv/decode.h"
#include "format/input.h"

struct decoder {
    enum dtype dtype;
    struct column elements;
    struct csv_decoder *csv;
    struct csv_text text;
};

static struct decoder *open_elements(const struct decoder_options *options,
                                     struct error *e)
{
    struct decoder *d = calloc(1, sizeof *d);
    if (!d)
        return error_memory(e);
    d->dtype = options->dtype;
    return d;
}

static struct decoder *open_records(const struct decoder_options *options,
                                    struct error *e)
{
    struct decoder *d = open_elements(options, e);
    if (d && !(d->csv = csv_decoder_new(options->text, options->portable, e))) {
        free(d);
        return NULL;
    }
    return d;
}

static void close_decoder(struct decoder *d)
{
    if (d)
        csv_decoder_free(d->csv);
    free(d);
}

static bool begin_elements(struct decoder *d, const struct chunk *chunk,
                           uint64_t *rows, uint64_t *skipped, struct error *e)
{
    (void)e;
    d->elements = (struct column){
        .dtype = d->dtype, .n = chunk->n, .values = chunk->data};
    *rows = chunk->n;
    *skipped = 0;
    return true;
}

static bool begin_records(struct decoder *d, const struct chunk *chunk,
                          uint64_t *rows, uint64_t *skipped, struct error *e)
{
    size_t n = 0;
    d->text = (struct csv_text){chunk->data, chunk->bytes, chunk->line,
                                chunk->input->table, chunk->input->name};
    bool ok = csv_decode_begin(d->csv, &d->text, &n, e);
    *rows = n;
    *skipped = csv_decode_skipped(d->csv);
    return ok;
}

static void column_of_elements(struct decoder *d, size_t group,
                               struct column *out)
{
    (void)group;
    *out = d->elements;
}

static void column_of_records(struct decoder *d, size_t group,
                              struct column *out)
{
    csv_decode_column(d->csv, group, out);
}

static void keys_of_records(struct decoder *d, size_t key, struct text_cell *to)
{
    csv_decode_keys(d->csv, d->text.table->key_of[key], key, NULL, to);
}

static bool end_elements(struct decoder *d, struct error *e)
{
    (void)d, (void)e;
    return true;
}

static bool end_records(struct decoder *d, struct error *e)
{
    return csv_decode_end(d->csv, e);
}

const struct decoder_kind decoder_elements = {
    STAGE_REDUCE,       open_elements, close_decoder, begin_elements,
    column_of_elements, NULL,          end_elements,  NULL};

const struct decoder_kind decoder_records = {
    STAGE_DECODE,      open_records,    close_decoder, begin_records,
    column_of_records, keys_of_records, end_records,   NULL};
