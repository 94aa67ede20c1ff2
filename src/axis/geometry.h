/* SPDX-License-Identifier: MIT */
/*
 * An array and the axes that it is reduced along. In memory it is a list of
 * dimensions from the slowest to the fastest; neighbours of the same kind, kept
 * or reduced, are merged to one. If the slowest dimension is kept, it counts
 * slabs; each slab has outputs of its own:
 *
 *   slabs x [ rows x items x (inner dimensions) ]
 *
 * `rows` is reduced and `items` is kept; either may be 1. To reduce each
 * row of a matrix, a row is a slab of rows of one item each; to reduce each
 * column, the matrix is one slab, and its columns are the items.
 *
 * Outputs are numbered as they are in memory, and so are the elements of each.
 * In Fortran order those are not the numbers of C order; see the maps below.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    RANK_MAX = 8,
    RESULT_RANK_MAX = RANK_MAX + 1,
    SHAPE_TEXT = 24 * RANK_MAX + 4, /* bytes of a shape as text, with its NUL */
};

/* The size of a first axis whose length is known only when the data end. */
#define SIZE_OPEN UINT64_MAX

struct dimension {
    uint64_t size;
    bool kept;
};

struct geometry {
    unsigned rank;
    uint64_t size[RANK_MAX]; /* of each axis; size[0] may be SIZE_OPEN */
    bool reduced[RANK_MAX];
    bool is_fortran;
    bool keeps;    /* reduced axes stay in the result, with size 1 */
    uint64_t bins; /* of a histogram: the result's last axis; 0: no such axis */

    /* Set by geometry_make. */
    uint64_t slabs; /* SIZE_OPEN: as many as the data has */
    uint64_t rows;  /* of a slab; SIZE_OPEN likewise */
    uint64_t items; /* of a row */
    unsigned inners;
    struct dimension inner[RANK_MAX]; /* of an item, from the slowest */

    uint64_t inner_size;    /* elements of an item */
    uint64_t inner_outputs; /* outputs of an item */
    uint64_t inner_each;    /* elements of an item for each of its outputs */
};

/* Computes the members below the blank line from those above. False if there
 * are more than 2^63 elements. */
bool geometry_make(struct geometry *g, struct error *e);

static inline uint64_t geometry_row(const struct geometry *g)
{
    return g->items * g->inner_size; /* elements */
}

/* Outputs of a slab, and of the array; SIZE_OPEN: not known yet. */
static inline uint64_t geometry_slab_outputs(const struct geometry *g)
{
    return g->items * g->inner_outputs;
}
uint64_t geometry_outputs(const struct geometry *g);

/* Elements of each output; SIZE_OPEN: not known yet. */
uint64_t geometry_each(const struct geometry *g);

/* Sets the shape of the result: *rank sizes. */
void geometry_result(const struct geometry *g, unsigned *rank,
                     uint64_t size[RESULT_RANK_MAX]);

/* The product of these sizes: the number of outputs, or of all their bins. */
uint64_t geometry_results(const struct geometry *g);

/* The number in C order of an output, or of an element of an output, that has
 * this number in memory. */
uint64_t geometry_output(const struct geometry *g, uint64_t output);
uint64_t geometry_index(const struct geometry *g, uint64_t element);

/* Whether geometry_index returns another number than it is given. */
bool geometry_is_mapped(const struct geometry *g);

/* Writes the indexes of the output with this number in C order, as "[3, 4]"; ""
 * if there is only one output. Returns out. */
const char *output_text(char out[SHAPE_TEXT], const struct geometry *g,
                        uint64_t row);

/* Writes sizes as NumPy does, such as "(3, 4)". Returns out. */
const char *sizes_text(char out[SHAPE_TEXT], const uint64_t *size,
                       unsigned rank);
