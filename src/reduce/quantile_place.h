/* SPDX-License-Identifier: MIT */
/* The place of a quantile among the values in ascending order, exactly. */
#pragma once

#include "reduce/bigint.h"
#include "reduce/quantile.h"

/* Where a quantile is: at a rank, or between it and the next one by `above` /
 * `below` of the way. */
struct quantile_place {
    uint64_t rank;
    bool is_between;
    struct bigint above, below;
};

/* Sets the place of a percent, written as digits with or without a point, among
 * n > 0 values: percent / 100 (n - 1), or what the interpolation makes of it.
 */
void quantile_find_place(struct quantile_place *p, const char *percent,
                         enum interpolation interpolation, uint64_t n);
