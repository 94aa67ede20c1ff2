/* SPDX-License-Identifier: MIT */
/*
 * The expected results of every backend: each monoid computed a second time,
 * one element after the other, without any of the code under test.
 *
 * Where a state is not fully specified (the sign of a product that has a zero),
 * compare.c ignores the reference's value.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "big.h"
#include "reduce/state.h"

/* The least or greatest element. any: there was at least one. */
struct reference_extremum {
    bool any;
    double real;    /* of floats; 0 for integers */
    __int128 whole; /* of integers; 0 for floats */
    uint64_t key, bits, index;
};

struct reference {
    enum dtype dtype;
    uint64_t n, nan, zero, inf[2]; /* inf is indexed by sign */
    uint64_t first_nan;            /* index, or INDEX_NONE */
    bool not_negative_zero; /* at least one element is neither NaN nor -0 */

    /* [enum exact_map], over the finite elements; bit 0 weighs 2^lsb. */
    struct big sum[5];

    /* min, max, and those of the magnitudes. */
    struct reference_extremum extremum[4];

    /* First and last of all elements, then of those that are not NaN. */
    struct end_element end[4];

    /* Product of floats. NaN is left out; Inf and 0 count as 1 with their
     * sign. */
    double mantissa;
    int64_t exponent;
    /* Product of integers, without zeros. */
    bool negative, too_large;
    unsigned __int128 magnitude;
};

/* Computes the reference of n elements. `first` is the index of the first one.
 * The tree of the product always starts at index 0. */
void reference_run(struct reference *r, enum dtype dtype, const void *data,
                   size_t n, uint64_t first);

/* Returns the exponent of the weight of bit 0 of a sum. */
int reference_lsb(enum dtype dtype, enum exact_map map);

/* Computes the product of floats by the tree that reduce/prod.h defines. */
void reference_tree(enum dtype dtype, const void *data, size_t n,
                    double *mantissa, int64_t *exponent);
