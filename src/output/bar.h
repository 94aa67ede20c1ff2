/* SPDX-License-Identifier: MIT */
/* The progress of a run as one line of text. */
#pragma once

#include <stdint.h>

#define BAR_UNKNOWN UINT64_MAX

struct bar {
    uint64_t bytes; /* of data done so far */
    double rate;    /* bytes of data a second */
    /* The percentage is done / goal, in any unit. It is not shown if goal is
     * BAR_UNKNOWN, or less than done because the file grew. */
    uint64_t done, goal;
    double left; /* seconds to go; negative if not known */
};

enum { BAR_MAX = 256 };

/* Writes at most `width` ASCII characters, and fewer than BAR_MAX. A narrow
 * line has fewer parts, or none. Returns out. */
const char *bar_text(char out[BAR_MAX], const struct bar *b, unsigned width);
