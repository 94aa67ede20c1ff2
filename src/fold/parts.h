/* SPDX-License-Identifier: MIT */
/* What the files of this room share. */
#pragma once

#include "expr/operations.h"
#include "expr/vectors.h"
#include "fold/fold.h"

struct folder {
    const struct fold *fold;
    struct vectors *vectors; /* NULL: each pair is evaluated by itself */
    const struct expr_value *pair[2]; /* of one evaluation */
    /* The operands of a batch. */
    int64_t a[VECTOR_ROWS], b[VECTOR_ROWS];
    /* Two levels of a block: one is made of the other. */
    int64_t words[2][FOLD_BLOCK];
    struct expr_value *values; /* [FOLD_BLOCK] in the slow form; or NULL */
};

/* A level of a block: nodes [at, at + n) of the level, in either form. */
struct level {
    int64_t *words; /* one of folder->words; NULL: `values` */
    struct expr_value *values;
    uint64_t at;
    size_t n;
    unsigned level;
};

/* The node i of the level, as a value. */
struct expr_value level_value(const struct folder *f, const struct level *l,
                              size_t i);

/* Makes l, of an even number of nodes from an even one on, the next level. */
bool level_up(struct folder *f, struct level *l, struct error *e);

/* Evaluates the expression for the partials of [first, middle) and [middle,
 * end). Sets the error, which names the elements. */
bool fold_pair(struct folder *f, const struct expr_value *a,
               const struct expr_value *b, uint64_t first, uint64_t end,
               struct expr_value *out, struct error *e);

/* Gives l the slow form. False: no memory. */
bool level_slow(struct folder *f, struct level *l, struct error *e);

/* The word of a value that has one, which `fits`. */
int64_t fold_word(const struct expr_value *value, bool *fits);
