/* SPDX-License-Identifier: MIT */
/*
 * Reads eight texts as eight numbers at a time: the runs of number_run.h, in
 * lanes of 8, 16 or 32 bytes, one per text. Masks with one bit per text report
 * those that are not plain numbers or not decided; number_fast.h then reads
 * them one by one.
 *
 * number_batch_512.h and number_batch_vectors.h define the vectors;
 * number_batch_runs_512.h and number_batch_runs.h turn bytes into runs.
 */
#pragma once

#include "csv/number/number_batch_vectors.h"
#include "csv/number/number_batch_512.h"
#include "csv/number/number_fast.h"

/* The eight texts to read. */
struct batch_texts {
    /* Where each text ends. The 32 bytes before its end are readable, even if
     * the text is shorter. */
    const char *end[BATCH];
    batch_u64 length; /* in bytes */
};

/* Like struct number_run, with a lane or one bit per text. */
struct batch_runs {
    batch_u64 w;
    batch_u64 points; /* not 0: the text has a point; batch_fraction reads it */
    unsigned bad;     /* a bit per text whose w and points are not valid */
    batch_mask minus;
};
