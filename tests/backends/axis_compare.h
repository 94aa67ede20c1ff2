/* SPDX-License-Identifier: MIT */
/* The results of the device held to what they must be. */
#pragma once

#include "axis_run.h"

struct axis_verdict {
    const char *kind;           /* of data */
    struct axis_answer *answer; /* of each result */
    uint64_t doubtful, wrong;
};

/* Compares all results, of which those that are doubtful may be anything. */
void axis_compare(struct axis_verdict *c, const struct axis_run *r);

/* Counts what is wrong and prints the first of it. */
void axis_complain(struct axis_verdict *c, const struct axis_run *r,
                   uint64_t output, const char *what);
