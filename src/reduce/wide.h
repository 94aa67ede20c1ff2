/* SPDX-License-Identifier: MIT */
/*
 * Integers of over 2^53, most of which f64 cannot hold, among the f64 values of
 * a text column; all of them are printed in full. They are stepped into the
 * column's exact states, which are sums of real numbers; least, greatest, first
 * and last are kept here, since the states' are f64.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/extrema.h"
#include "reduce/hd.h"

struct wide_integer {
    uint64_t magnitude; /* over 2^53; 0: there is none */
    uint64_t index;
    bool negative;
};

struct wide {
    uint64_t rounded; /* integers that f64 cannot hold, and that were rounded */
    struct wide_integer min, max, absmin, absmax, first, last;
};

HD void wide_init(struct wide *w)
{
    const struct wide_integer none = {0, INDEX_NONE, false};
    w->rounded = 0;
    w->min = w->max = w->absmin = w->absmax = w->first = w->last = none;
}

#ifdef __cplusplus
extern "C" {
#endif

void wide_merge(struct wide *into, const struct wide *from);

/* Adds an integer. */
void wide_keep(struct wide *w, struct wide_integer x);

/* -1, 0 or 1 as the integer compares with x, which is no NaN. */
int wide_compare(const struct wide_integer *w, double x);

#ifdef __cplusplus
}
#endif
