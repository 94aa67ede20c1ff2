/* SPDX-License-Identifier: MIT */
#include "run/by_folds.h"

#include <stdlib.h>
#include <string.h>

struct by_folder {
    const struct folds *folds;
    struct folder *of[FOLD_KINDS]; /* owned; NULL for kinds without a column */
    struct fold_tree tree;
    struct fold_values values;
    struct by_block block;
};

struct by_folder *by_folder_open(const struct dataset *d, struct error *e)
{
    struct by_folder *f = calloc(1, sizeof *f);
    bool ok = f || error_memory(e);
    if (f)
        f->folds = d->folds;
    for (size_t i = 0; ok && i < FOLD_KINDS; i++) {
        if (d->folds->has[i])
            ok = (f->of[i] = folder_open(&d->folds->kind[i], e));
    }
    if (ok)
        return f;
    by_folder_close(f);
    return NULL;
}

void by_folder_close(struct by_folder *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < FOLD_KINDS; i++)
        folder_close(f->of[i]);
    fold_tree_free(&f->tree);
    fold_values_free(&f->values);
    free(f);
}

struct column by_block_column(struct by_block *b, enum dtype dtype,
                              const uint64_t *bits, const uint8_t *absent,
                              size_t n)
{
    struct column c = {.dtype = dtype,
                       .values = b->elements,
                       .rows = b->rows,
                       .bad_rows = b->bad};
    char *to = (char *)b->elements;
    for (size_t i = 0; i < n; i++) {
        if (absent && absent[i] == 2)
            b->bad[c.bad++] = (uint32_t)i;
        if (absent && absent[i])
            continue;
        /* The low bytes come first: all machines are little-endian. */
        memcpy(to, &bits[i], dtype_info(dtype)->size);
        to += dtype_info(dtype)->size;
        b->rows[c.n++] = (uint32_t)i;
    }
    return c;
}

bool by_fold(struct by_folder *f, const struct groups *g, struct by_place place,
             size_t column, struct value *out, struct error *e)
{
    const unsigned kind = f->folds->kind_of[column];
    const struct by_table *t = &g->part[place.table].table;
    struct expr_value value;
    const uint8_t *absent;
    size_t n;
    const uint64_t *bits = by_values_in_order(t, place.id, column, &n, &absent);
    f->tree.nodes = 0;
    f->tree.end = 0;
    for (size_t at = 0; at < n; at += FOLD_BLOCK) {
        const size_t some = n - at < FOLD_BLOCK ? n - at : FOLD_BLOCK;
        const struct column block =
            by_block_column(&f->block, g->layout.dtype, bits + at,
                            absent ? absent + at : NULL, some);
        if (!fold_load(&f->folds->kind[kind], &block, 0, some, &f->values, e) ||
            !fold_tree_add(&f->tree, f->of[kind], 0, &f->values, e))
            return false;
    }
    if (!fold_tree_value(&f->tree, f->of[kind], &value, e))
        return false;
    *out = fold_result(&value);
    return true;
}
