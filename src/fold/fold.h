/* SPDX-License-Identifier: MIT */
/* A reduction by an expression over two partials (--reduce), in a tree that
 * the indexes of the elements fix. */
#pragma once

#include "expr/expr.h"
#include "reduce/column.h"
#include "reduce/mask.h"
#include "reduce/value.h"

/* Elements of a block: the words of two of its levels stay in the L2 cache.
 * Chunks of elements are multiples of it. */
enum { FOLD_BLOCK = 4096 };

/* The names in the expression. */
enum { FOLD_A, FOLD_B };

/* Const during a run. */
struct fold {
    struct expr expr;             /* over FOLD_A and FOLD_B */
    enum expr_type element, type; /* of the elements; of a, b and the result:
                                   * EXPR_BOOL, _INTEGER or _FLOAT */
    struct expr_value identity;   /* of `type` */
    bool skips_nan;               /* NaN count as the identity */
    const char *file;  /* for messages: the only FILE, escaped; or NULL */
    const char *items; /* for messages: "elements" */
};

enum { FOLD_KINDS = EXPR_FLOAT + 1 };

/* Of a dataset. */
struct folds {
    struct fold kind[FOLD_KINDS]; /* by the type of elements */
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

/* Makes f->kind[element] of an expression and the identity's, both parsed with
 * `option` and text. False, with an ERROR_USAGE. */
bool fold_parse(struct folds *f, enum expr_type element, const char *expr,
                const char *identity, struct error *e);

/* Evaluates the expression of a fold, for one thread. NULL: no memory. */
struct folder;
struct folder *folder_open(const struct fold *fold, struct error *e);
void folder_close(struct folder *f);

/* Values in a row: words as expr/vectors.h has them, and apart from them those
 * that do not fit words, whose words mean nothing. */
struct fold_values {
    int64_t *words; /* [n] */
    size_t n, room;
    struct fold_odd {
        size_t at;
        struct expr_value value; /* not of the fold's type: it is an error */
    } * odd;
    size_t odds, odd_room;
};

void fold_values_free(struct fold_values *v);

/* Makes the values of rows [at, at + n) of a chunk, of which the column has
 * some. A row without a value, or that the mask leaves out, has the identity.
 * False: no memory. */
bool fold_load(const struct fold *fold, const struct column *column, size_t at,
               size_t n, struct fold_values *v, struct error *e);

/* Complete subtrees of the elements [begin, end), in order. Zeroed: empty. */
struct fold_tree {
    uint64_t begin, end;
    size_t nodes, room;
    struct fold_node {
        struct expr_value value;
        unsigned level;
    } * node;
};

void fold_tree_free(struct fold_tree *t);

/* Appends values from index t->end on, or `first` if the tree is empty. False,
 * with an ERROR_DATA that names the place, or for want of memory. */
bool fold_tree_add(struct fold_tree *t, struct folder *f, uint64_t first,
                   const struct fold_values *v, struct error *e);

/* Appends a tree that follows it without a gap; an empty one may be anywhere.
 */
bool fold_tree_append(struct fold_tree *t, struct folder *f,
                      const struct fold_tree *from, struct error *e);

/* The result; the identity of an empty tree. */
bool fold_tree_value(const struct fold_tree *t, struct folder *f,
                     struct expr_value *out, struct error *e);

/* Combines the results of two trees. */
bool fold_combine(struct folder *f, const struct expr_value *a,
                  const struct expr_value *b, struct expr_value *out,
                  struct error *e);

/* A partial as a result. */
struct value fold_result(const struct expr_value *value);
