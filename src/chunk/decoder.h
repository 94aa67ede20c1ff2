/* SPDX-License-Identifier: MIT */
/* Decodes chunks into columns of values, on the CPU: a table of functions for
 * each kind of data. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/meter.h"
#include "chunk/chunk.h"
#include "chunk/chunker.h"
#include "reduce/column.h"
#include "reduce/mask.h"

struct csv_spec;
struct formulas;

/* State of one thread; each kind of data defines its own. */
struct decoder;

struct decoder_options {
    enum dtype dtype;
    /* For records: how to read their cells, borrowed. */
    const struct csv_spec *text;
    bool portable;                   /* use the base loops on any processor */
    const struct formulas *formulas; /* formula/formula.h; or NULL */
    struct index_map index;          /* of elements, for formulas */
};

struct decoder_kind {
    enum stage stage; /* the stage that the decoder's time is added to */
    /* NULL on failure. options->text must outlive the decoder. */
    struct decoder *(*open)(const struct decoder_options *options,
                            struct error *e);
    void (*close)(struct decoder *d); /* d may be NULL */

    /* Starts on a chunk, which must stay valid until `end`. Sets *rows to the
     * number of its valid rows, and *skipped to the number of rows left out. */
    bool (*begin)(struct decoder *d, const struct chunk *chunk, uint64_t *rows,
                  uint64_t *skipped, struct error *e);
    /* Decodes the column of a group. *out is valid until the next call. */
    void (*column)(struct decoder *d, size_t group, struct column *out);
    /* Writes the texts of part `key` of the rows' keys to `to`, one for each
     * row: see csv_decode_keys. NULL: this kind of data has no keys. */
    void (*keys)(struct decoder *d, size_t key, struct text_cell *to);
    /* Call after all columns. False with the first error in the chunk. */
    bool (*end)(struct decoder *d, struct error *e);
    /* Returns the rows that columns are decoded for, or NULL for all rows. Call
     * it after `begin`. If the member is NULL, columns always have all rows. */
    const struct mask *(*mask)(const struct decoder *d);
};

/* Elements of a chunk, used where they are. */
extern const struct decoder_kind decoder_elements;
/* Cells of records, decoded by csv/decode.h. */
extern const struct decoder_kind decoder_records;
