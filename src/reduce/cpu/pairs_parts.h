/* SPDX-License-Identifier: MIT */
/* What the files of pairs.h share. */
#pragma once

#include "reduce/cpu/accumulator.h"
#include "reduce/cpu/pairs.h"

enum {
    /* Rows of a block: two columns and their products stay in L1. */
    BLOCK = 512,
    ROOM = PRODUCTS_ROOM,
};

/* Why a row of a column is not a plain number. A pair's row has the marks of
 * both columns. */
enum mark {
    MARK_MISSING = 1,
    MARK_BAD = 2,
    MARK_NAN = 4,
    MARK_INF = 8,
    MARK_WIDE = 16, /* an integer that f64 cannot hold */
    MARKS_END = 32,
    MARK_NO_VALUE = MARK_MISSING | MARK_BAD,
};

/* A sum of a pair: of the products of its factors, columns 0 and 1 of the pair.
 * A sum of one column is the monoid `alone` of that column's values. */
struct pair_sum {
    enum monoid monoid, alone;
    unsigned factors;
    unsigned char side[3]; /* [factors]: which column each factor is */
};
extern const struct pair_sum pair_sums[];

/* Accumulators: first those of the sums of one column, then those of the parts
 * of products. Each part has its own, since parts of a product differ by 2^53
 * and windows reach down only 2^102. */
enum {
    ALONE = 4,
    PRODUCT = ALONE,
    ERROR,
    CUBE,
    CUBE_ERROR,
    CUBE_REST,
    ACCUMULATORS,
    SUMS = 6,
};

/* [ACCUMULATORS]: the monoid to whose sum the accumulator adds. */
extern const enum monoid pair_target[];

/* A column of the chunk, kept row by row. */
struct kept {
    double *value;             /* [rows + ROOM]; 0 if the row has no value */
    unsigned char *mark;       /* [rows], bits of enum mark */
    bool is_marked;            /* some mark is not 0 */
    struct wide_integer *wide; /* [wides], ascending by index, the row */
    size_t wides, wide_room;
    /* If no row is marked: the sums of the values [0] and of their squares [1],
     * made on first use; is_made says which there are. */
    bool is_made[2];
    union state sum[2];
};

struct pairs {
    unsigned set;
    const struct cpu_loops *loops;
    size_t columns, rows, stride; /* stride: rows that a column has room for */
    struct kept *column;          /* [columns] */
    double *values;               /* [columns * stride] */
    unsigned char *marks;         /* [columns * stride] */
    double a[BLOCK + ROOM], b[BLOCK + ROOM];
    double product[BLOCK + ROOM], error[BLOCK + ROOM];
    double square[BLOCK + ROOM], rest[BLOCK + ROOM];
    uint64_t seen[MARKS_END]; /* rows of the current pair, by their marks */
    struct accumulator accumulator[ACCUMULATORS];
};

/* Whether the sum m is asked for. */
static inline bool pairs_has(const struct pairs *p, enum monoid m)
{
    return p->set >> m & 1;
}

/* The pair that is being added, and the group whose states it is added to. */
struct addend {
    struct pairs *p;
    struct kept *side[2];
    struct states *states;
    size_t group;
};

static inline struct exact *addend_sum(const struct addend *x, enum monoid m)
{
    return &states_at(x->states, x->group, m)->exact;
}

/* Adds the rows with a mark, which p->seen counts. `first` is the position of
 * the chunk's first row. */
void pairs_add_others(const struct addend *x, uint64_t first);
