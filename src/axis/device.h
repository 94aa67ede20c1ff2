/* SPDX-License-Identifier: MIT */
/*
 * The interface of a backend that reduces arrays along axes. The backend
 * reduces chunks in its own memory. A chunk is an array (outer, length, inner):
 * element (o, l, i) is at (o * length + l) * inner + i, and output (o, i), of
 * the elements of all l, is number o * inner + i. Answers are narrow numbers.
 * If an answer may differ from the result of an exact state, its output is
 * listed, and the host computes it from the data.
 *
 * A chunk has all elements of its outputs, or is a part of them. Then it is
 * (1, length, inner); the chunks of a task are submitted in order, and the
 * context adds them up. If several contexts have parts of the same outputs, the
 * host collects their partial results, as bytes that only the backend reads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "reduce/dtype.h"

struct meter;
struct axis_context;

/* The measures of an output. For integers there is no measure of the mean: the
 * host computes it from the sum. */
enum measure {
    MEASURE_SUM,
    MEASURE_SUMABS,
    MEASURE_SUMSQ,
    MEASURE_MEAN,
    MEASURE_SUMS, /* those above are sums */
    MEASURE_COUNT = MEASURE_SUMS,
    MEASURE_EXTREMA,
    MEASURE_ABSEXTREMA,
    MEASURES_END
};

enum {
    AXIS_SLOTS = 2,
    AXIS_OPEN_BYTES = 32, /* of a partial result: one measure of one output */
};

#define AXIS_AT_NONE UINT32_MAX

struct axis_setup {
    int device;
    enum dtype dtype;
    unsigned measures; /* bits of enum measure */
    bool skip_nan;
    bool has_parts; /* some chunks have only part of their outputs' elements */
    size_t bytes;   /* of a chunk, at most */
    uint64_t outputs; /* of a chunk, at most */
    uint64_t length;  /* of the axis; less than UINT32_MAX */
    struct meter *meter;
};

struct axis_chunk {
    uint64_t outer, length, inner;
    bool is_part;
    uint64_t first; /* of a part: its first element's index along the axis */
    bool adds;      /* of a part: it continues the chunk submitted before */
    bool ends;      /* of a part: it is the task's last */
    /* Receives the task's partial results when it ends, axis_open_bytes; NULL
     * if the task has all elements of its outputs: then `wait` gives answers.
     */
    char *keep;
};

/* Answers of a device, which owns the arrays; valid until the slot's next
 * chunk. An array has an element for each output, or is NULL if its measure was
 * not wanted. Indexes are along the axis. */
struct axis_answers {
    /* Sums of floats are double. Sums of integers are int64_t or, if
     * axis_sum_bytes is 16, two uint64_t, the low half first. */
    const void *sum[MEASURE_SUMS];
    /* Sums of floats: the number and the list of outputs whose sum is doubtful;
     * number UINT64_MAX: all are. */
    uint64_t doubtfuls[MEASURE_SUMS];
    const uint64_t *doubtful[MEASURE_SUMS];
    const uint32_t *nan, *inf, *nonzero;
    /* [0] of values, [1] of magnitudes: the extremes as bits of the data's type
     * (unsigned for magnitudes of integers), the index of the first element
     * with each, and the index of the first NaN. */
    struct axis_extremes {
        const void *least, *greatest;
        const uint32_t *least_at, *greatest_at, *first_nan;
    } extremes[2];
};

/* A context is used only by the thread that opened it. */
struct axis_device {
    /* Whether the device computes this measure for a dtype. */
    bool (*has)(enum measure measure, enum dtype dtype);
    /* NULL on failure. */
    struct axis_context *(*open)(const struct axis_setup *setup,
                                 struct error *e);
    /* The host buffer of a slot, as large as the largest chunk. */
    void *(*slot)(struct axis_context *context, unsigned slot);
    /* Starts the work on the chunk in the slot's buffer. */
    bool (*submit)(struct axis_context *context, unsigned slot,
                   const struct axis_chunk *chunk, struct error *e);
    /* Waits for the work on the slot's chunk. Sets *answers unless the chunk is
     * a part that has none. */
    bool (*wait)(struct axis_context *context, unsigned slot,
                 struct axis_answers *answers, struct error *e);
    /* Merges partial results, which lie one after the other in `keep`, and sets
     * *answers. The slot has no chunk. */
    bool (*merge)(struct axis_context *context, unsigned slot, const char *keep,
                  size_t parts, uint64_t outputs, struct axis_answers *answers,
                  struct error *e);
    /* Frees the context; work may still be under way. */
    void (*close)(struct axis_context *context);
};

static inline unsigned axis_sum_bytes(enum measure measure, enum dtype dtype)
{
    const unsigned size = dtype_info(dtype)->size;
    const bool wide = size == 8 || (size == 4 && measure == MEASURE_SUMSQ);
    return wide && !dtype_is_float(dtype) ? 16 : 8;
}

/* Bytes of the partial results of so many outputs: [measures][outputs]. */
static inline size_t axis_open_bytes(const struct axis_setup *s,
                                     uint64_t outputs)
{
    const unsigned measures = (unsigned)__builtin_popcount(s->measures);
    return (size_t)outputs * measures * AXIS_OPEN_BYTES;
}
