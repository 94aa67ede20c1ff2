/* SPDX-License-Identifier: MIT */
/*
 * A run: up to 32 digits, perhaps with a point among them, read at once from
 * where it ends, so that a digit's weight is its place. No branch depends on
 * the length or on where the point is: in real columns both change from cell
 * to cell, and a misprediction costs as much as a cell.
 *
 * Two forms of the same: vectors here, for AVX2; plain words in number_words.h.
 * Both read only before the end: 17 bytes for n <= 16, else 33.
 */
#pragma once

#include <string.h>

#include "csv/number/number_scale.h"

struct number_run {
    uint64_t w;        /* the digits as an integer, if plain */
    uint32_t other;    /* a bit each byte of the run that is neither digit nor
                          point; bit 31 is the last byte's */
    unsigned fraction; /* digits after the point; RUN_NO_POINT: no point */
    bool plain;        /* the rest is valid: some digit, at most one point,
                          nothing else, and w did not overflow */
};

enum { RUN_NO_POINT = 32 };

/* Zeros, ones, zeros: read at some offset, a mask of which the edge is where
 * it should be. */
#define RUN_0 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define RUN_1                                                                  \
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, \
        255
static const uint8_t run_edges[96]
    __attribute__((aligned(32))) = {RUN_0, RUN_0, RUN_1, RUN_1, RUN_0, RUN_0};
#undef RUN_0
#undef RUN_1

/* Where the mask of the last n of `width` bytes is, n <= width <= 32. */
NUMBER_INLINE const uint8_t *run_last(unsigned width, unsigned n)
{
    return run_edges + 32 - width + n;
}

/* Where the mask is of all but the last `fraction` of `width` bytes: what is
 * before the point, and the point; nothing at all for RUN_NO_POINT. */
NUMBER_INLINE const uint8_t *run_to_point(unsigned width, unsigned fraction)
{
    return run_edges + 64 - width + fraction;
}

/* Judges the run by its masks, each of width <= 32 bits, and fills all in
 * but w. Returns how many of the n bytes are digits if there is nothing else.
 */
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
