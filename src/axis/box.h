/* SPDX-License-Identifier: MIT */
/* Parts of an array in memory, cut into boxes: some outputs, and some elements
 * of each at a fixed distance from one another. */
#pragma once

#include "axis/geometry.h"

/* Element s of lane l is at data + l * lane + s * step. */
struct box {
    const char *data;
    uint64_t first; /* number of step 0 among the elements of each output */
    size_t steps;   /* elements of each output in the box */
    size_t step;    /* bytes from one to the next */
    size_t lanes;   /* outputs */
    size_t lane;    /* bytes from one to the next */
    size_t output;  /* number of lane 0, as the caller of part_boxes counts */
};

typedef void box_fn(void *context, const struct box *box);

/* A part of an array. If slabs is 1: items [item, item + items) of rows [row,
 * row + rows) of a slab. If slabs > 1: all of slabs [slab, slab + slabs). */
struct part {
    uint64_t slab, slabs, row, rows, item, items;
};

/* The outputs of a part, and the number of its first one. */
uint64_t part_outputs(const struct geometry *g, const struct part *p);
uint64_t part_output(const struct geometry *g, const struct part *p);

/* Calls fn for each box of a part. The part starts at `data`, its rows are
 * `pitch` bytes apart, and its elements have `size` bytes. `output` is the
 * caller's number for the part's first output. The boxes of an output follow
 * the order of its elements. */
void part_boxes(const struct geometry *g, const struct part *p, uint64_t output,
                const char *data, size_t size, size_t pitch, box_fn *fn,
                void *context);
