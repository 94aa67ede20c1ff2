/* SPDX-License-Identifier: MIT */
/*
 * The numbers that the ladder adds up, and the true sums of them, which are
 * worked out here in 64-bit integers: every number is a multiple of the unit.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "rungs.h"

enum data_kind {
    /* -2, -1, 1, 2. Their sums stay far below 2^24 (they walk about 0), so f32
     * adds them without rounding, in any order: an answer is right to the bit,
     * or something was left out or taken twice. */
    DATA_WHOLE,
    /* In [-0.5, 1) times a power of two: every addition rounds. */
    DATA_READINGS,
};

struct truth {
    int64_t sum, magnitude; /* of the numbers and of their magnitudes, units */
};

struct data {
    enum data_kind kind;
    size_t n;
    double unit;
    struct truth *truth[SHAPES_END]; /* an array of the shape's answers */
};

/* Rows and columns of n numbers in a shape, and how many answers. */
struct extent {
    size_t rows, columns, answers;
};

struct extent shape_extent(enum shape shape, size_t n);

/* False if there is no memory. n < 2^32, so that no sum overflows. */
bool data_open(struct data *d, enum data_kind kind, size_t n);
void data_close(struct data *d);

/* Writes one of the LONG_ROWS rows, and adds it to the truth: once each. */
void data_row(struct data *d, size_t row, float *to);
