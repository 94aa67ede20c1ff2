/* SPDX-License-Identifier: MIT */
/* Reads a text by every function and compares the results with the oracles. */
#pragma once

#include "csv/simd/loops.h"
#include "subjects.h"
#include "texts.h"

enum { AROUND = 64, SETS_MAX = 8, CELLS_MAX = 64 };

/* Texts that are collected and then checked as a column. */
struct cells {
    char text[16 * TEXT_MAX];
    uint32_t ends[2 * CELLS_MAX], start[CELLS_MAX];
    struct oracle oracle[CELLS_MAX];
    size_t rows;
    unsigned quoted; /* how many of 16 cells are quoted */
};

/* The state of one thread. */
struct run {
    struct random random;
    uint64_t texts, numbers, compared, quick, undecided, nearest, failures;
    uint64_t trips;
    const struct quick *sets[SETS_MAX]; /* NULL after the last */
    const struct csv_loops *loops[SETS_MAX];
    struct cells cells[DTYPES_END];
    char room[AROUND + TEXT_MAX + AROUND];
};

/* Sets random, sets and loops. The rest of *run must be 0. */
void run_start(struct run *run, uint64_t seed);

/* Checks a text for every dtype against oracle_of and oracle_nearest. */
void check_text(struct run *run, const char *text, size_t length);

/* Checks that a printed number of this dtype reads back as `want`. */
void check_trip(struct run *run, enum dtype dtype, const char *text,
                size_t length, uint64_t want);

/* Checks the collected texts that no column has checked yet. */
void run_end(struct run *run);

/* Adds a text with its expected result to a column; checks the column when it
 * is full, or on demand. */
void columns_take(struct run *run, enum dtype dtype, const char *p,
                  size_t length, const struct oracle *oracle);
void columns_check(struct run *run, enum dtype dtype);

/* Counts a failure and prints the first ones. p ends with NUL. */
void run_fail(struct run *run, enum dtype dtype, const char *reader,
              const char *p, uint64_t got, uint64_t want);
