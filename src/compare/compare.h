/* SPDX-License-Identifier: MIT */
/*
 * Compares two inputs on the CPU, element by element or record by record. It
 * pairs chunks of both by index as they are read, text after decoding, so
 * memory does not grow with the data.
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
    const struct csv_spec *text; /* records: how to read cells; else NULL */
    enum dtype dtype[2];         /* of the inputs; of text both are the same */
    size_t columns;              /* of each input's records; of elements 1 */
    /* Bytes of a chunk of each input. If these are elements, both chunks hold
     * the same number of them. */
    size_t chunk_bytes[2];
    /* At least 1; at least 2 for two streams. The run may start fewer. */
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

/* Compares two inputs whose shapes agree as far as they are known. Fails with
 * ERROR_DATA if the shapes turn out to differ. On success the caller frees
 * *out. */
bool compare_run(const struct compare_job *job, struct input inputs[2],
                 struct compare_result *out, struct error *e);
void compare_result_free(struct compare_result *r);
