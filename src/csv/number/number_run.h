/* SPDX-License-Identifier: MIT */
/*
 * A run is up to 32 digits, perhaps with a point among them. Its bytes are read
 * in parallel, aligned at its end, so that a digit's place gives its weight. No
 * branch depends on the length or on the place of the point: in real columns
 * both change from cell to cell, and a misprediction costs as much as a cell.
 *
 * Two files implement it: number_vector.h with vectors of AVX2, number_words.h
 * with 64-bit words. Both read only bytes before the end: at most 17 for n <=
 * 16, else 33.
 */
#pragma once

#include <string.h>

#include "csv/number/number_scale.h"

struct number_run {
    uint64_t w; /* the digits as an integer, if plain */
    /* A bit for each byte of the run that is neither digit nor point; bit 31 is
     * the last byte. */
    uint32_t other;
    unsigned fraction; /* digits after the point; RUN_NO_POINT: no point */
    /* Whether w and fraction are valid: the run has a digit, at most one point
     * and nothing else, and w did not overflow. */
    bool plain;
};

enum { RUN_NO_POINT = 32 };

/* Zeros, ones, zeros. A load at the right offset gives a mask whose edge is at
 * any byte wanted. */
#define RUN_0 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define RUN_1                                                                  \
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, \
        255
static const uint8_t run_edges[96]
    __attribute__((aligned(32))) = {RUN_0, RUN_0, RUN_1, RUN_1, RUN_0, RUN_0};
#undef RUN_0
#undef RUN_1

/* The mask of the last n of `width` bytes, n <= width <= 32. */
NUMBER_INLINE const uint8_t *run_last(unsigned width, unsigned n)
{
    return run_edges + 32 - width + n;
}

/* The mask of all but the last `fraction` of `width` bytes: the bytes before
 * the point, and the point. Empty for RUN_NO_POINT. */
NUMBER_INLINE const uint8_t *run_to_point(unsigned width, unsigned fraction)
{
    return run_edges + 64 - width + fraction;
}

/* Sets *r from the masks of digits and points, each of width <= 32 bits; w is
 * left 0. Returns how many of the n bytes are digits, if the run is plain. */
NUMBER_INLINE unsigned run_judge(struct number_run *r, unsigned width,
                                 unsigned n, uint32_t digits, uint32_t points)
{
    uint32_t inside = (uint32_t)(((1ull << n) - 1) << (width - n));
    r->w = 0;
    digits &= inside;
    points &= inside;
    r->other = (inside ^ digits ^ points) << (32 - width);
    r->plain = (r->other | (points & (points - 1))) == 0 && digits != 0;
    r->fraction = (unsigned)number_leading_zeros(
        (uint64_t)points << (64 - width) | 1ull << (63 - RUN_NO_POINT));
    return n - (points != 0);
}

#ifdef __AVX2__
#include "csv/number/number_vector.h"
#else
#include "csv/number/number_words.h"
#endif
