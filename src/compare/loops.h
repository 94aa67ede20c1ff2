/* SPDX-License-Identifier: MIT */
/*
 * The loops over a block of pairs of elements. The same source is compiled once
 * for each instruction set; each gives the same bits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"

enum {
    COMPARE_BLOCK = 1024, /* pairs at a time: all of a block stays in L1 */
    COMPARE_LANES = 8,    /* of the widest vector of f64 */
};

/* How far a pair may differ: |a - b| <= absolute + relative * |b|, computed in
 * f64 as it is written. */
struct compare_tolerance {
    double absolute, relative;
};

/* Pairs of which some element is NaN, and of which one alone is. */
struct compare_nans {
    uint64_t either, one;
};

/* Of a block of differences. */
struct compare_judged {
    uint64_t mismatches;
    double greatest; /* difference */
    /* Some pair that differs has a quotient that may be at least the greatest
     * one so far. */
    bool may_beat;
};

struct compare_loops {
    /* f64 of n elements. */
    void (*widen[DTYPES_ALL_END])(double *to, const void *from, size_t n);

    /* The differences |a - b| and magnitudes |b| of n pairs of f64, or of f32,
     * rounded once. A difference is 0 where both are equal or either is NaN.
     * [COMPARE_BLOCK]: what follows up to a multiple of COMPARE_LANES is 0. */
    void (*differ)(const void *a, const void *b, size_t n, bool is_f64,
                   double *difference, double *magnitude,
                   struct compare_nans *nans);

    /* Those arrays looked at; most: the greatest quotient so far, or -1. */
    struct compare_judged (*judge)(const double *difference,
                                   const double *magnitude, size_t n,
                                   const struct compare_tolerance *tolerance,
                                   double most);

    /* The quotients difference / magnitude: Inf where the magnitude is 0 or
     * Inf, but 0 where there is no difference. Returns the greatest. */
    double (*divide)(const double *difference, const double *magnitude,
                     size_t n, double *quotient);

    /* The differences of n pairs of i64, or of u64. Returns the greatest. */
    uint64_t (*differ_integers)(const void *a, const void *b, size_t n,
                                bool is_signed, uint64_t *difference);

    /* By the logarithm of a float's size in bytes, 1 to 8. The greatest number
     * of steps from a float of its type to the next between both of a pair,
     * -0 and +0 being one; of pairs without NaN. number_max: the bits of the
     * greatest float, or of Inf. */
    uint64_t (*steps[4])(const void *a, const void *b, size_t n,
                         uint64_t number_max);
    /* How many of n floats are NaN. */
    uint64_t (*count_nans[4])(const void *a, size_t n, uint64_t number_max);
};

/* Those of this machine. */
const struct compare_loops *compare_loops(void);

extern const struct compare_loops compare_loops_base;
#ifdef HAVE_X86_LOOPS
extern const struct compare_loops compare_loops_avx2;
extern const struct compare_loops compare_loops_avx512;
#endif
