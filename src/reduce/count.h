/* SPDX-License-Identifier: MIT */
/* Counts of the elements that are NaN, infinite and not zero, and the index of
 * the first NaN. */
#pragma once

#include <stdint.h>

#include "reduce/extrema.h"
#include "reduce/hd.h"

struct count {
    uint64_t nan, inf, nonzero; /* NaN and Inf are nonzero, too */
    uint64_t first_nan;         /* global index, INDEX_NONE: none */
};

HD void count_init(struct count *c)
{
    c->nan = c->inf = c->nonzero = 0;
    c->first_nan = INDEX_NONE;
}

HD void count_merge(struct count *into, const struct count *from)
{
    into->nan += from->nan;
    into->inf += from->inf;
    into->nonzero += from->nonzero;
    if (from->first_nan < into->first_nan)
        into->first_nan = from->first_nan;
}
