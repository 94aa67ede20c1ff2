/* SPDX-License-Identifier: MIT */
/* --reduce by key: combines the values of a key in a tree, whose shape depends
 * only on their indexes among the key's rows. */
#pragma once

#include "by/order.h"
#include "fold/fold.h"
#include "plan/plan.h"

/* A block of a key's values, which were kept in the order of the data. */
struct by_block {
    uint64_t elements[FOLD_BLOCK];
    /* Of the block: rows that have a value; rows with a bad cell. */
    uint32_t rows[FOLD_BLOCK], bad[FOLD_BLOCK];
};

/* Makes a column of n rows; `bits` and `absent` are as in by_values_in_order.
 * The column points into *block. */
struct column by_block_column(struct by_block *block, enum dtype dtype,
                              const uint64_t *bits, const uint8_t *absent,
                              size_t n);

/* Combines values, on one thread. NULL, with the error, if memory ran out. */
struct by_folder;
struct by_folder *by_folder_open(const struct dataset *d, struct error *e);
void by_folder_close(struct by_folder *f); /* may be NULL */

/* Sets *out to the result of a column of a key. The groups must have kept the
 * values in order. */
bool by_fold(struct by_folder *f, const struct groups *g, struct by_place place,
             size_t column, struct value *out, struct error *e);
