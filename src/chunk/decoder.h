/* SPDX-License-Identifier: MIT */
/* Chunks to columns of values on the CPU: a table for each kind of data. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/meter.h"
#include "chunk/chunk.h"
#include "reduce/column.h"

struct csv_spec;

/* Of one thread; each kind of data has its own. */
struct decoder;

struct decoder_options {
    enum dtype dtype;
    const struct csv_spec *text; /* of records: how their cells are read */
    bool portable;               /* the base loops */
};

struct decoder_kind {
    enum stage stage; /* whose its time is */
    /* NULL on failure. The options' text must outlive it. */
    struct decoder *(*open)(const struct decoder_options *options,
                            struct error *e);
    void (*close)(struct decoder *d); /* NULL will do */

    /* Takes a chunk, which must stay until `end`. *rows is how many it has that
     * are in order, *skipped how many were left out. */
    bool (*begin)(struct decoder *d, const struct chunk *chunk, uint64_t *rows,
                  uint64_t *skipped, struct error *e);
    /* The column of a group; *out is good until the next call. */
    void (*column)(struct decoder *d, size_t group, struct column *out);
    /* After all columns: false with the first thing that was wrong. */
    bool (*end)(struct decoder *d, struct error *e);
};

/* The elements of a chunk, where they are. */
extern const struct decoder_kind decoder_elements;
/* The cells of records, by csv/decode.h. */
extern const struct decoder_kind decoder_records;
