/* SPDX-License-Identifier: MIT */
#include "reduce/distinct_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"

enum {
    ARENA_LEAST = 256,
    ARENA_MOST = 64 << 10,
    /* Fewest bytes to map: such memory begins a line of the cache, so that each
     * record of a line has one line. */
    MAP_LEAST = 64 << 10,
    /* Fewest bytes for huge pages, which avoid most misses of the TLB. Tables
     * have a power of two of slots, so no small page is left at their end. */
    HUGE_LEAST = 2 << 20,
};

/* The bytes of texts, in blocks that never move. */
struct distinct_arena {
    struct distinct_arena *next;
    size_t used, room;
    char at[];
};

static bool is_mapped(size_t bytes)
{
    return bytes >= MAP_LEAST;
}

/* Returns zeroed memory, and counts it. */
void *distinct_take(size_t bytes, enum distinct_lost *lost)
{
    void *at = NULL;
    if (!memory_take(bytes)) {
        *lost = DISTINCT_LIMIT;
        return NULL;
    }
    if (!is_mapped(bytes)) {
        at = calloc(1, bytes);
    } else {
        at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        at = at == MAP_FAILED ? NULL : at;
        if (at && bytes >= HUGE_LEAST)
            madvise(at, bytes, MADV_HUGEPAGE);
    }
    if (at)
        return at;
    memory_give(bytes);
    *lost = DISTINCT_NO_MEMORY;
    return NULL;
}

void distinct_give(void *at, size_t bytes)
{
    if (!at)
        return;
    if (is_mapped(bytes))
        munmap(at, bytes);
    else
        free(at);
    memory_give(bytes);
}

void distinct_arena_free(struct distinct_arena *a)
{
    while (a) {
        struct distinct_arena *next = a->next;
        distinct_give(a, sizeof *a + a->room);
        a = next;
    }
}

const char *distinct_arena_add(struct distinct_arena **arena,
                               struct text_cell text, enum distinct_lost *lost)
{
    struct distinct_arena *a = *arena;
    const size_t bytes = sizeof text.bytes + text.bytes;
    if (!a || a->room - a->used < bytes) {
        size_t room = a ? 2 * a->room : ARENA_LEAST;
        room = room < ARENA_MOST ? room : ARENA_MOST;
        room = room > bytes ? room : bytes;
        a = distinct_take(sizeof *a + room, lost);
        if (!a)
            return NULL;
        *a = (struct distinct_arena){.next = *arena, .room = room};
        *arena = a;
    }
    char *to = a->at + a->used;
    a->used += bytes;
    memcpy(to, &text.bytes, sizeof text.bytes);
    memcpy(to + sizeof text.bytes, text.at, text.bytes);
    return to;
}
