/* SPDX-License-Identifier: MIT */
/* What the files of pairs.h share. */
#pragma once

#include "reduce/cpu/accumulator.h"
#include "reduce/cpu/pairs.h"

enum {
    /* Rows at a time: two columns and what is made of them stay in L1. */
    BLOCK = 512,
    ROOM = PRODUCTS_ROOM,
};

/* Why a row of a column is no plain number; those of a pair are both. */
enum mark {
    MARK_MISSING = 1,
    MARK_BAD = 2,
    MARK_NAN = 4,
    MARK_INF = 8,
    MARK_WIDE = 16, /* an integer that f64 cannot hold */
    MARKS_END = 32,
    MARK_NO_VALUE = MARK_MISSING | MARK_BAD,
};

/* The sums of a pair, and which of its columns are the factors. Those of one
 * column are stepped as monoids of its values. */
struct pair_sum {
    enum monoid monoid, alone;
    unsigned factors;
    unsigned char side[3];
};
extern const struct pair_sum pair_sums[];

/* Accumulators: of the first sums, then of what products are made of. The parts
 * of a product differ by 2^53, and windows reach down 2^102. */
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

/* Whose sum an accumulator is part of: [ACCUMULATORS]. */
extern const enum monoid pair_target[];

/* A column of the chunk. */
struct kept {
    double *value;             /* [rows + ROOM]; 0 where there is none */
    unsigned char *mark;       /* [rows], of enum mark */
    bool is_marked;            /* some are not 0 */
    struct wide_integer *wide; /* [wides], ascending by index: the row */
    size_t wides, wide_room;
    /* Where no row is marked: sums of the values and of their squares, which
     * are made when they are first asked for. */
    bool is_made[2];
    union state sum[2];
};

struct pairs {
    unsigned set;
    const struct cpu_loops *loops;
    size_t columns, rows, stride; /* stride: rows that there is room for */
    struct kept *column;          /* [columns] */
    double *values;               /* [columns * stride] */
    unsigned char *marks;         /* [columns * stride] */
    double a[BLOCK + ROOM], b[BLOCK + ROOM];
    double product[BLOCK + ROOM], error[BLOCK + ROOM];
    double square[BLOCK + ROOM], rest[BLOCK + ROOM];
    uint64_t seen[MARKS_END]; /* of a pair: rows by their marks */
    struct accumulator accumulator[ACCUMULATORS];
};

/* Whether a sum is of the set. */
static inline bool pairs_has(const struct pairs *p, enum monoid m)
{
    return p->set >> m & 1;
}

/* A pair that is being added. */
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

/* Adds the rows that are not two numbers of f64, which `seen` counts; `first`
 * is the position of the first row. */
void pairs_add_others(const struct addend *x, uint64_t first);
