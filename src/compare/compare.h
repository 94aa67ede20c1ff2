/* SPDX-License-Identifier: MIT */
/*
 * Compares two inputs on the CPU, element by element or record by record.
 * Chunks of both are paired by index as they come, those of text after
 * decoding, so that memory does not grow with the data.
 */
#pragma once

#include "base/error.h"
#include "base/meter.h"
#include "chunk/lines.h"
#include "chunk/reading.h"
#include "compare/tally.h"
#include "format/input.h"
#include "reduce/states.h"

struct compare_job {
    const struct reading *reading;
    const struct csv_spec *text; /* of records: how cells are read; else NULL */
    enum dtype dtype[2];         /* of the inputs; of text both are the same */
    size_t columns;              /* of each input's records; of elements 1 */
    size_t chunk_bytes[2]; /* of elements: the same number of each input's */
    /* At least 1, for two streams 2; the run may start fewer. */
    unsigned threads;
    struct compare_tolerance tolerance;
    struct meter *meter; /* not NULL */
};

struct compare_result {
    struct compare_tally *tally; /* [columns] */
    struct states squares;       /* MONOID_sumsq of each column's differences */
    enum dtype unit;             /* of the differences: see compare_unit */
    struct chunk_notes notes;    /* of the first input's records */
    uint64_t rows;               /* elements or records of each input */
    uint64_t bytes;              /* of the data of both */
    uint64_t rounded[2];         /* integers of text that were rounded to f64 */
};

/* Compares two inputs that have the same shape, as far as is known. ERROR_DATA
 * if it turns out that they have not. On success the caller frees *out. */
bool compare_run(const struct compare_job *job, struct input inputs[2],
                 struct compare_result *out, struct error *e);
void compare_result_free(struct compare_result *r);
