/* SPDX-License-Identifier: MIT */
/* A text read by every way, and the results compared. */
#pragma once

#include "csv/simd/loops.h"
#include "subjects.h"
#include "texts.h"

enum { AROUND = 64, SETS_MAX = 8, CELLS_MAX = 64 };

/* Texts that become a column. */
struct cells {
    char text[16 * TEXT_MAX];
    uint32_t ends[2 * CELLS_MAX], start[CELLS_MAX];
    struct oracle oracle[CELLS_MAX];
    size_t rows;
    unsigned quoted; /* of 16 texts so many, by chance */
};

/* One thread's. */
struct run {
    struct random random;
    uint64_t texts, numbers, compared, quick, undecided, nearest, failures;
    uint64_t trips;
    const struct quick *sets[SETS_MAX]; /* NULL after the last */
    const struct csv_loops *loops[SETS_MAX];
    struct cells cells[DTYPES_END];
    char room[AROUND + TEXT_MAX + AROUND];
};

/* The rest of *run is 0. */
void run_start(struct run *run, uint64_t seed);

/* As every dtype, against oracle_of and oracle_nearest. */
void check_text(struct run *run, const char *text, size_t length);

/* As one dtype; the bits that were printed have to come back. */
void check_trip(struct run *run, enum dtype dtype, const char *text,
                size_t length, uint64_t want);

/* The last texts, which are still to be checked as columns. */
void run_end(struct run *run);

/* One of them, with what it is; and those that were taken. */
void columns_take(struct run *run, enum dtype dtype, const char *p,
                  size_t length, const struct oracle *oracle);
void columns_check(struct run *run, enum dtype dtype);

/* Counts a failure and tells of the first ones; p ends with NUL. */
void run_fail(struct run *run, enum dtype dtype, const char *way, const char *p,
              uint64_t got, uint64_t want);
