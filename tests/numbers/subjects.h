/* SPDX-License-Identifier: MIT */
/* What check_numbers compares: every way from a text to bits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/number/powers.h"
#include "reduce/dtype.h"

/* A column for the benchmark: cells at every 40 bytes. */
struct column_of_texts {
    const char *text;
    const uint8_t *length;
    size_t n;
    uint64_t *bits; /* out */
};

/* The quick ways, once for each instruction set. */
struct quick {
    const char *name;
    bool (*read)(enum dtype dtype, const char *p, size_t length,
                 const struct powers *t, uint64_t *bits);
    /* The same for a column, and how many were not decided. For f64, f32 and
     * i64. */
    size_t (*column)(enum dtype dtype, const struct column_of_texts *c,
                     const struct powers *t);
};

enum { COLUMN_STRIDE = 40 };

/* Those that this machine runs, best first, then NULL. */
const struct quick *quick_sets(size_t i);

/* What the text is, after the grammar and libc's strtod and strtoull. */
struct oracle {
    bool is_number;
    uint64_t bits;
};

/* In the C locale, [p, p + length) without NUL, and one after it. */
struct oracle oracle_of(enum dtype dtype, const char *p, size_t length);

/* What oracle_of keeps for the calling thread. */
void oracle_free(void);

/* The same without libc, by integers of any size: whether bits, of f32 or f64,
 * are those of a number that is of the grammar and not inf or nan. At most 850
 * digits. */
bool oracle_nearest(enum dtype dtype, const char *p, size_t length,
                    uint64_t bits);
