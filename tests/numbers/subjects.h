/* SPDX-License-Identifier: MIT */
/* What check_numbers compares: every function that makes bits from text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/number/powers.h"
#include "reduce/dtype.h"

/* A column for the benchmark: a cell starts every 40 bytes. */
struct column_of_texts {
    const char *text;
    const uint8_t *length;
    size_t n;
    uint64_t *bits; /* out */
};

/* The quick functions of one instruction set. */
struct quick {
    const char *name;
    bool (*read)(enum dtype dtype, const char *p, size_t length,
                 const struct powers *t, uint64_t *bits);
    /* Reads a column of f64, f32 or i64. Returns how many cells were
     * undecided. */
    size_t (*column)(enum dtype dtype, const struct column_of_texts *c,
                     const struct powers *t);
};

enum { COLUMN_STRIDE = 40 };

/* Returns set i of those that this machine can run, best first; NULL after the
 * last. */
const struct quick *quick_sets(size_t i);

/* The expected result for a text: the grammar decides whether it is a number,
 * libc's strtod, strtof or strtoull its value. */
struct oracle {
    bool is_number;
    uint64_t bits;
};

/* Reads [p, p + length), which has no NUL and is followed by one. Needs the C
 * locale. */
struct oracle oracle_of(enum dtype dtype, const char *p, size_t length);

/* Frees what oracle_of keeps for the calling thread. */
void oracle_free(void);

/* A second oracle without libc, by integers of any size: whether `bits` of f32
 * or f64 is the nearest value to a number that fits the grammar and is neither
 * inf nor nan. At most 850 digits. */
bool oracle_nearest(enum dtype dtype, const char *p, size_t length,
                    uint64_t bits);
