/* SPDX-License-Identifier: MIT */
/*
 * Compares two inputs, element by element or record by record, on the CPU: an
 * input's chunks, decoded where they are text, are paired with the other's by
 * index as they come, so that memory does not grow with the data.
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
    const struct csv_spec *text; /* of records: how their cells are read */
    enum dtype dtype[2];         /* of the inputs; of text the same */
    size_t columns;              /* of records, of both; else 1 */
    size_t chunk_bytes[2];       /* of elements: as many of each input */
    unsigned threads; /* at least 1, of two streams 2; fewer will do */
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
    uint64_t rounded[2];         /* integers of text that f64 cannot hold */
};

/* The inputs have one shape as far as that is known: ERROR_DATA where it turns
 * out that they have not. On success the result is to be freed. */
bool compare_run(const struct compare_job *job, struct input inputs[2],
                 struct compare_result *out, struct error *e);
void compare_result_free(struct compare_result *r);
