/* SPDX-License-Identifier: MIT */
/* What the results of an axis must be, computed from the exact states of the
 * program's core and, for extremes and counts, in the plainest way. */
#pragma once

#include "kernels/axis/axis.h"
#include "number.h"

/* Of one result. Indexes are along the axis, AXIS_NONE where there is none. */
struct axis_answer {
    /* By enum axis_monoid, of what is finite. Floats: the sum, the mean of all
     * and of what is not NaN. Integers: 128 bits, two's complement. */
    double sum[3], mean[3], mean_of_numbers[3];
    uint64_t integer[3][2];
    uint32_t n, nan, plus_inf, minus_inf, nonzero, first_nan;
    /* Of values and of magnitudes: bits, and where the first is. */
    struct axis_extreme {
        long double value;
        uint64_t bits;
        uint32_t at;
    } least[2], greatest[2];
};

/* Of `length` elements, the first at index `first`, `step` elements apart. */
void axis_answer_of(struct axis_answer *a, enum dtype dtype, const void *data,
                    size_t first, size_t length, size_t step);

/* The sum of floats, or their mean; with `skip` of what is not NaN. False where
 * the mean or the sum has no number to be of. */
bool axis_answer_float(const struct axis_answer *a, enum axis_monoid monoid,
                       bool mean, bool skip, double *value);
