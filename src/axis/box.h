/* SPDX-License-Identifier: MIT */
/* Parts of an array in memory, cut into boxes: some outputs, and some elements
 * of each at a fixed distance from one another. */
#pragma once

#include "axis/geometry.h"

struct box {
    const char *data;
    uint64_t first;     /* the number of the first element, of each output */
    size_t steps, step; /* elements of each output; bytes between them */
    size_t lanes, lane; /* outputs; bytes between them */
    size_t output;      /* the number of the first, from that of the part on */
};

typedef void box_fn(void *context, const struct box *box);

/* Rows [row, row + rows) of items [item, item + items) of one slab, or where
 * slabs > 1 that many whole ones. */
struct part {
    uint64_t slab, slabs, row, rows, item, items;
};

/* Elements and outputs of a part, and the number of its first output. */
uint64_t part_size(const struct geometry *g, const struct part *p);
uint64_t part_outputs(const struct geometry *g, const struct part *p);
uint64_t part_output(const struct geometry *g, const struct part *p);

/* Calls fn for each box of a part that starts at `data` and whose rows are
 * `pitch` bytes apart; elements have `size` bytes, and the first output is
 * number `output` of the caller's. The boxes of an output come in the order of
 * its elements. */
void part_boxes(const struct geometry *g, const struct part *p, uint64_t output,
                const char *data, size_t size, size_t pitch, box_fn *fn,
                void *context);
