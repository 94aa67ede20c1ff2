/* SPDX-License-Identifier: MIT */
/* Compares the device's results with the expected ones. */
#pragma once

#include "axis_run.h"

struct axis_verdict {
    const char *kind;           /* of data */
    struct axis_answer *answer; /* of each result */
    uint64_t doubtful, wrong;
};

/* Compares all results. Doubtful ones may have any value. */
void axis_compare(struct axis_verdict *c, const struct axis_run *r);

/* Counts wrong results, and prints the first ones. */
void axis_complain(struct axis_verdict *c, const struct axis_run *r,
                   uint64_t output, const char *what);
