/* SPDX-License-Identifier: MIT */
/* A block of values that step.c adds. Only step.c and step_block.c include it.
 */
#pragma once

#include <string.h>

#include "base/element.h"
#include "by/step.h"

enum { BLOCK = 256 };

struct block {
    const struct by_layout *layout;
    struct by_table *table;
    const struct by_addend *addend;
    const uint32_t *which; /* the block's first; NULL: values from `from` on */
    size_t from;
    size_t n;        /* values of the block */
    char *at[BLOCK]; /* the column in each value's record */
    /* Each [n] of 8 bytes: the values as they are, in the low bytes; and as
     * doubles, or as integers of 64 bits. They point to the column itself, or
     * to the rooms. */
    const char *bits, *wide;
    uint64_t bits_room[BLOCK], wide_room[BLOCK];
};

static inline uint64_t bits_of(const struct block *b, size_t i)
{
    return ELEMENT_AT(uint64_t, b->bits, i);
}

static inline double real_of(const struct block *b, size_t i)
{
    return ELEMENT_AT(double, b->wide, i);
}

/* Of u64 the bits. */
static inline int64_t whole_of(const struct block *b, size_t i)
{
    return ELEMENT_AT(int64_t, b->wide, i);
}

static inline uint32_t row_of(const struct block *b, size_t i)
{
    return addend_row(b->addend, b->which ? b->which[i] : b->from + i);
}

static inline uint64_t position_of(const struct block *b, size_t i)
{
    return b->addend->first + row_of(b, i);
}

/* Fills the block, whose layout, table and addend are set, with n of the values
 * that by_step adds, from number `from` on. */
void block_fill(struct block *b, const uint32_t *which, size_t from, size_t n);
