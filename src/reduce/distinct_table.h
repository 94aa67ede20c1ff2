/* SPDX-License-Identifier: MIT */
/*
 * A hash table of distinct keys: numbers, each kept as a hash that can be
 * undone, or texts. A number may go with each, as how often the key came; so
 * may a dense number of the key itself. It doubles when it is three
 * quarters full. All its memory is counted by base/memory.h. For one thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/distinct_memory.h"

/* The keys of a table. */
struct distinct_kind {
    bool is_narrow; /* hashes have 32 bits, in the upper half of 64 */
    bool has_texts;
    bool has_counts;
};

struct distinct_table {
    struct distinct_kind kind;
    uint8_t skip;      /* upper bits of a hash that all keys have in common */
    size_t n, room;    /* keys, slots */
    void *hash;        /* [room]: 0 is free */
    uint64_t *count;   /* [room], or NULL */
    const char **text; /* [room]: see distinct_text; or NULL */
    bool has_zero;     /* the number whose hash is 0, ... */
    uint64_t zeros;    /* ... and its count */
    struct distinct_arena *arena; /* the texts' bytes */
};

/* What is to be added: arrays by an index. */
struct distinct_keys {
    const uint64_t *hash;
    const uint64_t *count;        /* NULL: each comes once */
    const struct text_cell *cell; /* texts, ... */
    const char *const *text;      /* ... or as a table has them; or NULL */
};

static inline struct distinct_table
distinct_table_empty(struct distinct_kind kind, unsigned skip)
{
    return (struct distinct_table){.kind = kind, .skip = (uint8_t)skip};
}

/* Frees its memory. */
void distinct_table_close(struct distinct_table *t);

/* Makes room for so many keys more, beside the bytes of texts. */
enum distinct_lost distinct_table_reserve(struct distinct_table *t,
                                          size_t more);

/* Adds the keys [which[i]], or [i] where which is NULL, for i < n. There must
 * be room for as many. Fails only where the bytes of texts find no memory. */
enum distinct_lost distinct_table_add(struct distinct_table *t,
                                      const struct distinct_keys *keys,
                                      const uint16_t *which, size_t n);

/* Lists the slots that have a key, from *from on and at most n: [result] of
 * them. *from is then where to go on. */
size_t distinct_table_list(const struct distinct_table *t, size_t *from,
                           uint32_t *slot, size_t n);

static inline uint64_t distinct_table_hash(const struct distinct_table *t,
                                           size_t slot)
{
    return t->kind.is_narrow ? (uint64_t)((const uint32_t *)t->hash)[slot] << 32
                             : ((const uint64_t *)t->hash)[slot];
}

/* How many keys there are. */
static inline size_t distinct_table_n(const struct distinct_table *t)
{
    return t->n + t->has_zero;
}

/* Whether it has a number. */
bool distinct_table_has(const struct distinct_table *t, uint64_t hash);

/* Drops all keys, and keeps the slots. */
void distinct_table_clear(struct distinct_table *t);
