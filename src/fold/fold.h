/* SPDX-License-Identifier: MIT */
/* A reduction by an expression over two partials (--reduce). Partials are
 * combined in a tree whose shape depends on the indexes of the elements alone,
 * so the result does not depend on threads or chunks. */
#pragma once

#include "expr/expr.h"
#include "reduce/column.h"
#include "reduce/value.h"

/* Elements of a block, so that the words of two levels stay in the L2 cache.
 * Chunks of elements are whole blocks, except the last one. */
enum { FOLD_BLOCK = 4096 };

/* The names in the expression. */
enum { FOLD_A, FOLD_B };

/* Const during a run. */
struct fold {
    struct expr expr;             /* over FOLD_A and FOLD_B */
    enum expr_type element, type; /* of the elements; of a, b and the result:
                                   * EXPR_BOOL, _INTEGER or _FLOAT */
    struct expr_value identity;   /* of `type` */
    bool skips_nan;               /* NaN is replaced by the identity */
    const char *file;  /* for messages: the only FILE, escaped; or NULL */
    const char *items; /* for messages: "elements" */
};

enum { FOLD_KINDS = EXPR_FLOAT + 1 };

/* The folds of a dataset. Const during a run. */
struct folds {
    struct fold kind[FOLD_KINDS]; /* one for each type of elements */
    bool has[FOLD_KINDS];
    uint8_t *kind_of; /* [groups] */
    bool any_order;   /* records may be combined in any order */
    char *file;       /* owned */
};

void folds_free(struct folds *f);

static inline const struct fold *fold_of(const struct folds *f, size_t group)
{
    return &f->kind[f->kind_of[group]];
}

/* Makes f->kind[element] by parsing the expression and the identity. False with
 * an ERROR_USAGE. */
bool fold_parse(struct folds *f, enum expr_type element, const char *expr,
                const char *identity, struct error *e);

/* Evaluates the expression of a fold. One thread at a time uses it. NULL: no
 * memory. */
struct folder;
struct folder *folder_open(const struct fold *fold, struct error *e);
void folder_close(struct folder *f);

/* Consecutive values. Each has a word, in the form of expr/vectors.h. A value
 * that does not fit its word is in the list of the others; its word is then
 * undefined. */
struct fold_values {
    int64_t *words; /* [n] */
    size_t n, room;
    struct fold_odd {
        size_t at;
        struct expr_value value; /* if not of the fold's type: an error */
    } * odd;
    size_t odds, odd_room;
};

void fold_values_free(struct fold_values *v);

/* Loads the values of rows [at, at + n) of a chunk from its column. A row
 * without a value gets the identity. False if memory ran out. */
bool fold_load(const struct fold *fold, const struct column *column, size_t at,
               size_t n, struct fold_values *v, struct error *e);

/* The complete subtrees over the elements [begin, end), in order. A zeroed tree
 * is empty. One thread at a time uses it. */
struct fold_tree {
    uint64_t begin, end;
    size_t nodes, room;
    struct fold_node {
        struct expr_value value;
        unsigned level;
    } * node;
};

void fold_tree_free(struct fold_tree *t);

/* Appends values, the first of which has the index t->end, or `first` if the
 * tree is empty. False with an ERROR_DATA that names the place, or if memory
 * ran out. */
bool fold_tree_add(struct fold_tree *t, struct folder *f, uint64_t first,
                   const struct fold_values *v, struct error *e);

/* Appends the tree that starts where t ends; either may be empty. */
bool fold_tree_append(struct fold_tree *t, struct folder *f,
                      const struct fold_tree *from, struct error *e);

/* Sets the result; for an empty tree the identity. */
bool fold_tree_value(const struct fold_tree *t, struct folder *f,
                     struct expr_value *out, struct error *e);

/* Combines the results of two trees. */
bool fold_combine(struct folder *f, const struct expr_value *a,
                  const struct expr_value *b, struct expr_value *out,
                  struct error *e);

/* Converts a partial to a result. */
struct value fold_result(const struct expr_value *value);
