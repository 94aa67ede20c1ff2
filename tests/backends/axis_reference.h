/* SPDX-License-Identifier: MIT */
/* The expected results of an axis. Sums come from the exact states of the
 * program's core, extremes and counts from plain loops. */
#pragma once

#include "kernels/axis/axis.h"
#include "number.h"

/* The expected values of one result. Indexes count along the axis; AXIS_NONE:
 * no such element. */
struct axis_answer {
    /* By enum axis_monoid, of the finite elements. Floats: the sum, the mean of
     * all elements, and of those that are not NaN. Integers: 128 bits in two's
     * complement. */
    double sum[3], mean[3], mean_of_numbers[3];
    uint64_t integer[3][2];
    uint32_t n, nan, plus_inf, minus_inf, nonzero, first_nan;
    /* Extremes of values and of magnitudes: bits, and the first index. */
    struct axis_extreme {
        long double value;
        uint64_t bits;
        uint32_t at;
    } least[2], greatest[2];
};

/* Computes the answer of `length` elements from index `first` on, `step`
 * elements apart. */
void axis_answer_of(struct axis_answer *a, enum dtype dtype, const void *data,
                    size_t first, size_t length, size_t step);

/* Sets *value to the sum or mean of floats, with `skip` of those that are not
 * NaN. Returns false if `skip` leaves no elements. */
bool axis_answer_float(const struct axis_answer *a, enum axis_monoid monoid,
                       bool mean, bool skip, double *value);
