/* SPDX-License-Identifier: MIT */
/*
 * The loops over a block of pairs of elements. The same source is compiled once
 * for each instruction set. All give the same bits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"

enum {
    /* pairs at a time: the arrays of a block stay in L1 */
    COMPARE_BLOCK = 1024,
    COMPARE_LANES = 8, /* of the widest vector of f64 */
};

/* How far a pair may differ: |a - b| <= absolute + relative * |b|, computed in
 * f64 as it is written. */
struct compare_tolerance {
    double absolute, relative;
};

/* Pairs with at least one NaN, and with exactly one. */
struct compare_nans {
    uint64_t either, one;
};

/* What `judge` finds in a block of differences. */
struct compare_judged {
    uint64_t mismatches;
    double greatest; /* the greatest difference */
    /* Some pair that differs has a quotient that may be at least the greatest
     * one so far. */
    bool may_beat;
};

struct compare_loops {
    /* Converts n elements to f64. */
    void (*widen[DTYPES_ALL_END])(double *to, const void *from, size_t n);

    /* Differences |a - b|, rounded once, and magnitudes |b| of n pairs of f64
     * or of f32. A difference is 0 if both are equal or either is NaN. Both
     * arrays have COMPARE_BLOCK elements; those from n up to a multiple of
     * COMPARE_LANES are set to 0. Adds to *nans. */
    void (*differ)(const void *a, const void *b, size_t n, bool is_f64,
                   double *difference, double *magnitude,
                   struct compare_nans *nans);

    /* Judges the arrays that `differ` filled. most: the greatest quotient so
     * far, or 0. */
    struct compare_judged (*judge)(const double *difference,
                                   const double *magnitude, size_t n,
                                   const struct compare_tolerance *tolerance,
                                   double most);

    /* The quotients difference / magnitude: Inf if the magnitude is 0 or Inf,
     * but 0 if there is no difference. Returns the greatest. */
    double (*divide)(const double *difference, const double *magnitude,
                     size_t n, double *quotient);

    /* The differences of n pairs of i64, or of u64. Returns the greatest. */
    uint64_t (*differ_integers)(const void *a, const void *b, size_t n,
                                bool is_signed, uint64_t *difference);

    /* [log2 of the size of a float in bytes, 1 to 8]. A step leads from a float
     * of the type to the next; -0 and +0 are one. Returns the most steps
     * between the floats of one of n pairs; pairs with NaN do not count.
     * number_max: the bits of Inf or, without an Inf, of the greatest float. */
    uint64_t (*steps[4])(const void *a, const void *b, size_t n,
                         uint64_t number_max);
    /* How many of n floats are NaN. */
    uint64_t (*count_nans[4])(const void *a, size_t n, uint64_t number_max);
};

/* The loops for this machine's instruction set. */
const struct compare_loops *compare_loops(void);

extern const struct compare_loops compare_loops_base;
#ifdef HAVE_X86_LOOPS
extern const struct compare_loops compare_loops_avx2;
extern const struct compare_loops compare_loops_avx512;
#endif
