/* SPDX-License-Identifier: MIT */
/*
 * The record of a key: the key, how many rows have it, and for each column that
 * is reduced a count of its values and the states of what is asked for. It is
 * as short as that allows, since there may be 10^8 of them: a sum of f64 takes
 * 16 bytes while it fits (see sum.h), and the whole record 64.
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

/* What is asked for. */
struct by_spec {
    size_t keys;    /* columns of the key */
    bool is_first;  /* --order first: the first row of each key is kept */
    bool keeps_bad; /* bad cells are left out, and counted */
    bool has_texts; /* some columns are of text */
    bool in_order;  /* all values are kept in the order of the data */
    /* [columns]: what the monoid `ranks` counts, for histograms; or NULL. */
    const struct rank_parts *ranks;
};

struct by_head {
    struct by_key key;
    uint64_t rows;
};

struct by_column {
    uint64_t n;     /* values */
    uint64_t spill; /* number of its spill, from 1: see table.h; 0: none */
};

struct by_layout {
    struct by_spec spec;
    enum dtype dtype; /* of all columns, a computed one */
    size_t columns;   /* that are reduced */
    unsigned monoids; /* that have a state in the record: set of MONOID_BIT */
    unsigned direct;  /* of these, those that are stepped value by value */
    unsigned values;  /* that are computed of the values: see values.h */
    bool has_wide;    /* there may be integers that f64 cannot hold */
    uint32_t bytes;   /* of a record */
    uint32_t first;   /* where the first column is */
    uint32_t stride;  /* bytes of a column */
    uint32_t bad;     /* where its count of bad cells is; 0: there is none */
    uint32_t ends;    /* where its first and last text are; 0: likewise */
    /* Where a state is in a column; of those without one 0. */
    uint32_t at[MONOIDS_END];
    char *blank;        /* the record of a key without rows, owned */
    uint32_t spill;     /* bytes of a spill: see table.h */
    uint32_t spill_sum; /* where its exact sum is */
};

/* columns may be 0: only rows are counted. False: no memory. */
bool layout_make(struct by_layout *l, const struct by_spec *spec,
                 enum dtype dtype, size_t columns, unsigned monoids);
void layout_free(struct by_layout *l);

/* Whether a table keeps all values: they cannot be added to another's. */
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
