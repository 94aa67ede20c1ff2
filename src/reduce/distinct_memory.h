/* SPDX-License-Identifier: MIT */
/* Memory of distinct keys, all of it counted by base/memory.h: slots of tables,
 * and the bytes of texts, which stay where they are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reduce/column.h"

/* Why keys are lost. */
enum distinct_lost { DISTINCT_KEPT, DISTINCT_LIMIT, DISTINCT_NO_MEMORY };

/* Zeroed memory; NULL: *lost says why. */
void *distinct_take(size_t bytes, enum distinct_lost *lost);

/* Gives it back, of as many bytes; NULL will do. */
void distinct_give(void *at, size_t bytes);

/* A copy of a text: its length, and its bytes. */
struct text_cell distinct_text(const char *text);

struct distinct_arena;

/* Appends a copy to an arena, which is NULL at first. NULL: *lost says why. */
const char *distinct_arena_add(struct distinct_arena **arena,
                               struct text_cell text, enum distinct_lost *lost);
void distinct_arena_free(struct distinct_arena *arena);
