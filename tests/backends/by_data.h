/* SPDX-License-Identifier: MIT */
/* Rows with keys for check_by, and the results of plain loops over them. */
#pragma once

#include "kernels/by/number.h"
#include "random.h"

enum { BY_COLUMNS = 2 };

struct by_extreme {
    uint64_t bits, position; /* UINT64_MAX: none */
};

struct by_want {
    uint64_t absent, zeros;
    __int128 low, high; /* the sum is low + high * 2^64 */
    /* The sum of squares, of f64: digits of 32 bits, which may be larger. */
    uint64_t square[GPU_BY_SQUARE_LIMBS];
    struct by_extreme extreme[2];
};

/* The rows of a chunk, and the expected results of all chunks so far. */
struct by_case {
    enum dtype dtype;
    struct gpu_by_set set;
    unsigned keys, n; /* n: rows of the chunk */
    size_t pitch;
    uint32_t *key;          /* [pitch] */
    char *value;            /* [BY_COLUMNS][pitch] elements */
    uint32_t *used;         /* [BY_COLUMNS][pitch / 32] */
    bool *odd;              /* [BY_COLUMNS][pitch]: left to the host */
    uint64_t *rows, *first; /* [keys] */
    struct by_want *want;   /* [keys][BY_COLUMNS] */
};

void by_data_open(struct by_case *b, enum dtype dtype, unsigned keys,
                  unsigned rows);
void by_data_close(struct by_case *b);

/* Draws the rows of a chunk and adds them to the expected results. */
void by_data_fill(struct by_case *b, unsigned rows, uint64_t first,
                  struct random *random);

/* Whether a listed value is odd and was not listed before. */
bool by_data_take_odd(struct by_case *b, unsigned column, uint32_t row,
                      const void *value);

/* The number of odd values that were not listed. */
size_t by_data_odds(const struct by_case *b, unsigned column);
