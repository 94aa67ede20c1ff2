/* SPDX-License-Identifier: MIT */
/* A text read by every way, and the results compared. */
#pragma once

#include "subjects.h"
#include "texts.h"

enum { AROUND = 64, SETS_MAX = 8 };

/* One thread's. */
struct run {
    struct random random;
    uint64_t texts, numbers, compared, quick, undecided, nearest, failures;
    uint64_t trips;
    const struct quick *sets[SETS_MAX]; /* NULL after the last */
    char room[AROUND + TEXT_MAX + AROUND];
};

/* The rest of *run is 0. */
void run_start(struct run *run, uint64_t seed);

/* As every dtype, against truth_of and truth_nearest. */
void check_text(struct run *run, const char *text, size_t length);

/* As one dtype; the bits that were printed have to come back. */
void check_trip(struct run *run, enum dtype dtype, const char *text,
                size_t length, uint64_t want);
