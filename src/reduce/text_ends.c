/* SPDX-License-Identifier: MIT */
#include "reduce/text_ends.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/extrema.h"

void text_ends_init(struct text_ends *e)
{
    *e =
        (struct text_ends){.first.index = INDEX_NONE, .last.index = INDEX_NONE};
}

void text_ends_close(struct text_ends *e)
{
    free(e->first.text);
    free(e->last.text);
}

static void replace(struct text_ends *e, struct text_end *end, const char *text,
                    size_t bytes, uint64_t index)
{
    char *copy = malloc(bytes + 1);
    e->lost |= !copy;
    if (!copy)
        return;
    memcpy(copy, text, bytes);
    free(end->text);
    *end = (struct text_end){copy, bytes, index};
}

static void keep_first(struct text_ends *e, const char *text, size_t bytes,
                       uint64_t index)
{
    if (index < e->first.index)
        replace(e, &e->first, text, bytes, index);
}

/* INDEX_NONE is the greatest index, and the least after adding 1. */
static void keep_last(struct text_ends *e, const char *text, size_t bytes,
                      uint64_t index)
{
    if (index + 1 > e->last.index + 1)
        replace(e, &e->last, text, bytes, index);
}

void text_ends_keep(struct text_ends *e, const struct text_cell ends[2],
                    uint64_t position)
{
    keep_first(e, ends[0].at, ends[0].bytes, position + ends[0].row);
    keep_last(e, ends[1].at, ends[1].bytes, position + ends[1].row);
}

void text_ends_merge(struct text_ends *into, const struct text_ends *from)
{
    const struct text_end *first = &from->first, *last = &from->last;
    into->lost |= from->lost;
    keep_first(into, first->text, first->bytes, first->index);
    keep_last(into, last->text, last->bytes, last->index);
}

void text_ends_map(struct text_ends *e,
                   uint64_t (*map)(const void *context, uint64_t position),
                   const void *context)
{
    struct text_end *const ends[] = {&e->first, &e->last};
    for (int i = 0; i < 2; i++) {
        if (ends[i]->index != INDEX_NONE)
            ends[i]->index = map(context, ends[i]->index);
    }
}
