/* SPDX-License-Identifier: MIT */
/* The memory of distinct keys: slots of tables, and the bytes of texts, which
 * never move. base/memory.h counts all of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "reduce/column.h"

/* Why keys are lost: they are not; they would exceed the limit of memory;
 * memory ran out; or, only with --by, a value is an integer that f64 cannot
 * hold. */
enum distinct_lost {
    DISTINCT_KEPT,
    DISTINCT_LIMIT,
    DISTINCT_NO_MEMORY,
    DISTINCT_WIDE
};

/* Allocates zeroed memory. On failure returns NULL and sets *lost. */
void *distinct_take(size_t bytes, enum distinct_lost *lost);

/* Frees what distinct_take gave, of as many bytes. `at` may be NULL. */
void distinct_give(void *at, size_t bytes);

/* Reads back a text that distinct_arena_add copied. */
static inline struct text_cell distinct_text(const char *text)
{
    struct text_cell cell = {.at = text + sizeof cell.bytes};
    memcpy(&cell.bytes, text, sizeof cell.bytes);
    return cell;
}

struct distinct_arena;

/* Appends a copy of a text, its length before its bytes, to an arena, which is
 * NULL at first. On failure returns NULL and sets *lost. */
const char *distinct_arena_add(struct distinct_arena **arena,
                               struct text_cell text, enum distinct_lost *lost);
void distinct_arena_free(struct distinct_arena *arena);
