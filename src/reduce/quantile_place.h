/* SPDX-License-Identifier: MIT */
/* The exact place of a quantile among values in ascending order. */
#pragma once

#include "reduce/bigint.h"
#include "reduce/quantile.h"

/* A quantile is at `rank` or, if is_between, above / below of the way from
 * there to the next rank. */
struct quantile_place {
    uint64_t rank;
    bool is_between;
    struct bigint above, below;
};

/* Sets the place of a percentile among n > 0 values: percent / 100 (n - 1),
 * changed as the interpolation says. `percent` has digits, with or without a
 * point. */
void quantile_find_place(struct quantile_place *p, const char *percent,
                         enum interpolation interpolation, uint64_t n);
