/* SPDX-License-Identifier: MIT */
/*
 * What a backend must have to reduce arrays along axes. It reduces chunks in
 * its own memory; a chunk is (outer, length, inner): element (o, l, i) is at
 * (o * length + l) * inner + i, and output (o, i), of the elements of all l, is
 * number o * inner + i. Answers are narrow. Those that may not be what an exact
 * state gives are listed, and the host computes them from the data.
 *
 * A chunk has all elements of its outputs, or is a part of them. Then it is
 * (1, length, inner); the chunks of a task come one after the other, and the
 * context adds them up. Parts that several contexts have of the same outputs
 * meet on the host, as bytes that only the backend reads.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "reduce/dtype.h"

struct meter;
struct axis_context;

/* What is measured of each output. Sums of integers have no mean: it is read
 * from the sum. */
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
    AXIS_OPEN_BYTES = 32, /* of a measure and output, of which more may come */
};

#define AXIS_AT_NONE UINT32_MAX

struct axis_setup {
    int device;
    enum dtype dtype;
    unsigned measures; /* bits of enum measure */
    bool skip_nan;
    bool has_parts;   /* some chunks are parts */
    size_t bytes;     /* of a chunk, at most */
    uint64_t outputs; /* of a chunk, at most */
    uint64_t length;  /* of the axis; less than UINT32_MAX */
    struct meter *meter;
};

struct axis_chunk {
    uint64_t outer, length, inner;
    bool is_part;
    uint64_t first; /* of a part: the index along the axis of its first */
    bool adds;      /* of a part: the task's chunk before was the one before */
    bool ends;      /* of a part: it is the task's last */
    /* Where what the task's chunks have is put when it ends: axis_open_bytes;
     * or NULL, where they have all elements and answers are wanted. */
    char *keep;
};

/* Indexes are along the axis. Arrays have an element for each output; those of
 * measures that were not wanted are NULL. Valid until the slot's next chunk. */
struct axis_answers {
    /* Sums: of floats double; of integers int64_t, or where axis_sum_bytes is
     * 16 two uint64_t, the low half first. */
    const void *sum[MEASURE_SUMS];
    /* Sums of floats: outputs that are doubtful; UINT64_MAX: all are. */
    uint64_t doubtfuls[MEASURE_SUMS];
    const uint64_t *doubtful[MEASURE_SUMS];
    const uint32_t *nan, *inf, *nonzero;
    /* Of values and of magnitudes: bits in the data's type, of magnitudes
     * of integers unsigned, and where the first is; where the first NaN is. */
    struct axis_extremes {
        const void *least, *greatest;
        const uint32_t *least_at, *greatest_at, *first_nan;
    } extremes[2];
};

/* Functions of a context are called by the thread that opened it. */
struct axis_device {
    /* Whether it has a measure of a dtype. */
    bool (*has)(enum measure measure, enum dtype dtype);
    /* NULL on failure. */
    struct axis_context *(*open)(const struct axis_setup *setup,
                                 struct error *e);
    /* The host buffer of a slot, which has the bytes of a chunk. */
    void *(*slot)(struct axis_context *context, unsigned slot);
    /* Starts the work on the chunk in the slot's buffer. */
    bool (*submit)(struct axis_context *context, unsigned slot,
                   const struct axis_chunk *chunk, struct error *e);
    /* Ends it. Sets *answers unless the chunk is a part without any. */
    bool (*wait)(struct axis_context *context, unsigned slot,
                 struct axis_answers *answers, struct error *e);
    /* Answers of parts, which lie one after the other; the slot is free. */
    bool (*merge)(struct axis_context *context, unsigned slot, const char *keep,
                  size_t parts, uint64_t outputs, struct axis_answers *answers,
                  struct error *e);
    /* Work may still be under way. */
    void (*close)(struct axis_context *context);
};

static inline unsigned axis_sum_bytes(enum measure measure, enum dtype dtype)
{
    const unsigned size = dtype_info(dtype)->size;
    const bool wide = size == 8 || (size == 4 && measure == MEASURE_SUMSQ);
    return wide && !dtype_is_float(dtype) ? 16 : 8;
}

/* Bytes of the parts of so many outputs: [measures][outputs]. */
static inline size_t axis_open_bytes(const struct axis_setup *s,
                                     uint64_t outputs)
{
    const unsigned measures = (unsigned)__builtin_popcount(s->measures);
    return (size_t)outputs * measures * AXIS_OPEN_BYTES;
}
