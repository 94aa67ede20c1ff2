/* SPDX-License-Identifier: MIT */
/*
 * The input of the rungs and its exact sums. Every number is a multiple of
 * `unit`, so the sums are computed on the CPU in 64-bit integers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "rungs.h"

enum data_kind {
    /* -2, -1, 1 or 2. f32 adds these numbers without rounding in any order,
     * because the sums stay near 0, far below 2^24. A wrong bit in an answer
     * therefore means that a number was left out or added twice. */
    DATA_WHOLE,
    /* In [-0.5, 1) times a power of two. Every addition rounds. */
    DATA_READINGS,
};

struct exact_sum {
    int64_t sum, magnitude; /* of the numbers, of their magnitudes; in units */
};

struct data {
    enum data_kind kind;
    size_t n;
    double unit;
    struct exact_sum *expected[SHAPES_END]; /* [answers of the shape], owned */
};

/* How many rows, columns and answers a shape has for n numbers. */
struct extent {
    size_t rows, columns, answers;
};

struct extent shape_extent(enum shape shape, size_t n);

/* Allocates the arrays of exact sums. Returns false without memory. n must be
 * below 2^32, so that no sum overflows. */
bool data_open(struct data *d, enum data_kind kind, size_t n);
void data_close(struct data *d);

/* Writes one of the LONG_ROWS rows to `to` and adds it to the exact sums. Call
 * it once for each row. */
void data_row(struct data *d, size_t row, float *to);
