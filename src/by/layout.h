/* SPDX-License-Identifier: MIT */
/*
 * The record of a key: the key, the number of its rows, and for each column
 * that is reduced the number of its values and the states that are asked for.
 * Records are short, since there may be 10^8 of them: a sum of f64 takes 16
 * bytes while it fits (see sum.h), and the record of one such sum 64.
 *
 *   struct by_head | [position of the first row] | column | column ...
 *   column: struct by_column | state | state ...
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "by/key.h"
#include "reduce/state.h"
#include "reduce/text_ends.h"

/* The options that shape a record. */
struct by_spec {
    size_t keys; /* columns of the key */
    /* Bit k: column k is computed: not a cell's text, but a number as
     * formula/keys.c writes it. */
    unsigned computed;
    bool is_first;  /* --order first: a record has its key's first row */
    bool keeps_bad; /* bad cells are left out and counted */
    bool has_texts; /* some columns are of text */
    bool in_order;  /* values are kept in the order of the data */
    bool rounds;    /* those values are for a product of floats: integers that
                     * f64 cannot hold are rounded */
    /* [columns], borrowed: for histograms, what the monoid `ranks` counts; or
     * NULL. */
    const struct rank_parts *ranks;
};

struct by_head {
    struct by_key key;
    uint64_t rows;
};

struct by_column {
    uint64_t n;     /* the number of its values */
    uint64_t spill; /* the number of its spill, from 1 (see table.h); 0: none */
};

/* Const once made. Offsets are in bytes. */
struct by_layout {
    struct by_spec spec;
    enum dtype dtype; /* of all columns: one that values are computed in */
    size_t columns;   /* how many are reduced */
    unsigned monoids; /* those with a state in the record: set of MONOID_BIT */
    unsigned direct;  /* those of `monoids` that are stepped value by value */
    unsigned values;  /* monoids computed from kept values: see values.h */
    bool has_wide;    /* there may be integers that f64 cannot hold */
    uint32_t bytes;   /* the size of a record */
    uint32_t first;   /* offset of the first column in a record */
    uint32_t stride;  /* the size of a column */
    uint32_t bad;     /* offset in a column of its count of bad cells; or 0 */
    uint32_t ends;    /* offset in a column of its struct text_ends; or 0 */
    /* Offset in a column of each monoid's state; 0: it has none. */
    uint32_t at[MONOIDS_END];
    char *blank;        /* the record of a key without rows, owned */
    uint32_t spill;     /* the size of a spill: see table.h */
    uint32_t spill_sum; /* offset in a spill of its exact sum */
};

/* `columns` may be 0: then only rows are counted. False: no memory. */
bool layout_make(struct by_layout *l, const struct by_spec *spec,
                 enum dtype dtype, size_t columns, unsigned monoids);
void layout_free(struct by_layout *l);

/* Whether a table keeps all values. Kept values cannot be merged from one table
 * into another. */
static inline bool layout_keeps(const struct by_layout *l)
{
    return l->values || l->spec.in_order;
}

static inline uint64_t *layout_first(char *record)
{
    return (uint64_t *)(record + sizeof(struct by_head));
}

static inline char *layout_column(const struct by_layout *l, char *record,
                                  size_t column)
{
    return record + l->first + column * l->stride;
}

static inline struct text_ends *layout_ends(const struct by_layout *l,
                                            char *column)
{
    return (struct text_ends *)(column + l->ends);
}

/* A state of a column of a record. */
static inline union state *layout_state(const struct by_layout *l, char *column,
                                        int monoid)
{
    return (union state *)(column + l->at[monoid]);
}
