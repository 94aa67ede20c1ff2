/* SPDX-License-Identifier: MIT */
/* The first and the last element, of all and of those that are not NaN.
 * Indexes are global, so states merge in any order. */
#pragma once

#include <stdint.h>

#include "reduce/extrema.h"
#include "reduce/hd.h"

struct end_element {
    uint64_t bits, index; /* index INDEX_NONE: no element was seen */
};

struct ends {
    struct end_element first, last;
    struct end_element first_number, last_number; /* NaN left out */
};

HD void ends_init(struct ends *e)
{
    const struct end_element none = {0, INDEX_NONE};
    e->first = e->last = e->first_number = e->last_number = none;
}

/* INDEX_NONE is the greatest index, and the least after adding 1. */
HD void ends_merge(struct ends *into, const struct ends *from)
{
    if (from->first.index < into->first.index)
        into->first = from->first;
    if (from->first_number.index < into->first_number.index)
        into->first_number = from->first_number;
    if (from->last.index + 1 > into->last.index + 1)
        into->last = from->last;
    if (from->last_number.index + 1 > into->last_number.index + 1)
        into->last_number = from->last_number;
}
