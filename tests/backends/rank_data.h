/* SPDX-License-Identifier: MIT */
/* Elements for the checks of ranks and of distinct values, and their order by
 * value, which knows nothing of keys. */
#pragma once

#include "random.h"
#include "reduce/dtype.h"

enum rank_kind {
    RANK_BITS,    /* any bits; floats: also NaN, infinities and both zeros */
    RANK_UNIFORM, /* floats in [0, 1) */
    RANK_CONSTANT,
    RANK_TWO, /* two values */
    RANK_FEW, /* a hundred values */
    RANK_SORTED,
    RANK_NAN, /* floats: one in three is NaN; integers: any bits */
    RANK_KINDS,
};

const char *rank_kind_name(enum rank_kind kind);

/* Draws n elements. */
void rank_draw(struct random *r, enum dtype dtype, enum rank_kind kind,
               void *to, size_t n);

/* Sorts them by value, -0 before 0, NaN last. */
void rank_sort(enum dtype dtype, void *elements, size_t n);

/* Whether raw bits are a NaN. */
bool rank_is_nan(enum dtype dtype, uint64_t bits);
