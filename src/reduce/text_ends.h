/* SPDX-License-Identifier: MIT */
/*
 * The first and the last text of a group of texts, as `ends` for numbers. A
 * state owns copies of the two texts and nothing else, so its memory does not
 * grow with the data. States merge in any order.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/column.h"

struct text_end {
    char *text; /* [bytes], owned; or NULL */
    size_t bytes;
    uint64_t index; /* or a position; INDEX_NONE: no text was seen */
};

struct text_ends {
    struct text_end first, last;
    bool lost; /* memory ran out for a copy */
};

void text_ends_init(struct text_ends *e);

/* Frees the copies. The state may then be initialised again. */
void text_ends_close(struct text_ends *e);

/* Adds the ends of a column, whose row 0 has the position `position`. */
void text_ends_keep(struct text_ends *e, const struct text_cell ends[2],
                    uint64_t position);

/* Copies an end of `from` if it comes before the first or after the last of
 * `into`. */
void text_ends_merge(struct text_ends *into, const struct text_ends *from);

/* Replaces the positions, except INDEX_NONE, by map(context, position). */
void text_ends_map(struct text_ends *e,
                   uint64_t (*map)(const void *context, uint64_t position),
                   const void *context);
