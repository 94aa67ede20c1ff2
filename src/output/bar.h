/* SPDX-License-Identifier: MIT */
/* How far a run has come, as one line of text. */
#pragma once

#include <stdint.h>

#define BAR_UNKNOWN UINT64_MAX

struct bar {
    uint64_t bytes; /* of data so far */
    double rate;    /* bytes of data a second */
    /* What the percentage is of, in whatever unit; goal: or BAR_UNKNOWN. More
     * done than there was to do is an unknown goal, too: the file grew. */
    uint64_t done, goal;
    double left; /* seconds; negative where not known */
};

enum { BAR_MAX = 256 };

/* At most `width` ASCII characters, and fewer than BAR_MAX: the narrower, the
 * fewer parts, down to none. Returns out. */
const char *bar_text(char out[BAR_MAX], const struct bar *b, unsigned width);
