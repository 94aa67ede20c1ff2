/* SPDX-License-Identifier: MIT */
/*
 * The answers that every backend is held to: each monoid computed a second
 * time, one element after the other, without any of the code under test.
 *
 * Where a state leaves something open (the product's sign once a zero is in
 * it), the reference holds a value that compare.c does not look at.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "big.h"
#include "reduce/state.h"

/* The least or greatest element; any: there was one. */
struct reference_extremum {
    bool any;
    long double real; /* of floats, else 0 */
    __int128 whole;   /* of integers, else 0 */
    uint64_t key, bits, index;
};

struct reference {
    enum dtype dtype;
    uint64_t n, nan, zero, inf[2]; /* by sign */
    uint64_t first_nan;            /* INDEX_NONE: none */
    bool not_negative_zero;        /* some element but NaN is not -0 */

    /* Of the finite elements, by exact_map, bit 0 weighing 2^lsb. */
    struct big sum[5];

    /* min, max and those of the magnitudes. */
    struct reference_extremum extremum[4];

    /* First and last of all elements, and of those that are not NaN. */
    struct end_element end[4];

    /* Floats: NaN is left out; Inf and 0 are 1 with their sign. */
    double mantissa;
    int64_t exponent;
    /* Integers: of all but 0. */
    bool negative, too_large;
    unsigned __int128 magnitude;
};

/* Of n elements at data, the first of which has the index `first`; for the
 * product, the tree is that of an index 0. */
void reference_run(struct reference *r, enum dtype dtype, const void *data,
                   size_t n, uint64_t first);

/* 2^this is the weight of bit 0 of a sum. */
int reference_lsb(enum dtype dtype, enum exact_map map);

/* The product of floats, by the tree that reduce/prod.h tells of. */
void reference_tree(enum dtype dtype, const void *data, size_t n,
                    double *mantissa, int64_t *exponent);
