/* SPDX-License-Identifier: MIT */
/* What the files of this room share. */
#pragma once

#include "expr/operations.h"
#include "expr/vectors.h"
#include "fold/fold.h"

struct folder {
    const struct fold *fold;
    struct vectors *vectors; /* NULL: each pair is evaluated by itself */
    const struct expr_value *pair[2]; /* a and b of the current evaluation */
    /* The operands of the current batch. */
    int64_t a[VECTOR_ROWS], b[VECTOR_ROWS];
    /* Two levels of a block; each is computed from the other. */
    int64_t words[2][FOLD_BLOCK];
    struct expr_value *values; /* [FOLD_BLOCK], owned: the slow form; or NULL */
};

/* Nodes [at, at + n) of a level of the tree: words or, in the slow form,
 * values. */
struct level {
    int64_t *words; /* one of folder->words; NULL: `values` */
    struct expr_value *values;
    uint64_t at;
    size_t n;
    unsigned level;
};

/* Node i of the level as a value. */
struct expr_value level_value(const struct folder *f, const struct level *l,
                              size_t i);

/* Replaces l by the next level. l has an even number of nodes, and `at` is
 * even.
 */
bool level_up(struct folder *f, struct level *l, struct error *e);

/* Combines a with b, its right neighbour. Together they are of the elements
 * [first, end), which an error names. */
bool fold_pair(struct folder *f, const struct expr_value *a,
               const struct expr_value *b, uint64_t first, uint64_t end,
               struct expr_value *out, struct error *e);

/* Converts l to the slow form. False if memory ran out. */
bool level_slow(struct folder *f, struct level *l, struct error *e);

/* The value's word. Sets *fits to whether the value fits one. */
int64_t fold_word(const struct expr_value *value, bool *fits);
