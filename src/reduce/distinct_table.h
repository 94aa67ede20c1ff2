/* SPDX-License-Identifier: MIT */
/*
 * A hash table of distinct keys. A key is a number, kept as its hash, which can
 * be undone, or a text. It may have a count of how often it occurs. The table
 * doubles when it is three quarters full. base/memory.h counts all its memory.
 * For use by one thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/distinct_memory.h"

/* The kind of keys that a table has, and whether it counts them. */
struct distinct_kind {
    bool is_narrow; /* hashes have 32 bits, in the upper half of 64 */
    bool has_texts;
    bool has_counts;
};

struct distinct_table {
    struct distinct_kind kind;
    uint8_t skip;      /* upper bits that the hashes of all keys share */
    size_t n;          /* keys in slots */
    size_t room;       /* slots */
    void *hash;        /* [room], owned; 0: the slot is free */
    uint64_t *count;   /* [room], owned; NULL: no counts */
    const char **text; /* [room], owned, see distinct_text; NULL: no texts */
    bool has_zero;     /* it has the number whose hash is 0 ... */
    uint64_t zeros;    /* ... with this count */
    struct distinct_arena *arena; /* the bytes of the texts */
};

/* Keys to add: arrays with the same indexes, borrowed. */
struct distinct_keys {
    const uint64_t *hash;
    const uint64_t *count;        /* NULL: each key is counted once */
    const struct text_cell *cell; /* the texts; or NULL */
    const char *const *text;      /* the texts of another table; or NULL */
};

static inline struct distinct_table
distinct_table_empty(struct distinct_kind kind, unsigned skip)
{
    return (struct distinct_table){.kind = kind, .skip = (uint8_t)skip};
}

/* Frees its memory. */
void distinct_table_close(struct distinct_table *t);

/* Makes room for so many more keys, but not for the bytes of texts. */
enum distinct_lost distinct_table_reserve(struct distinct_table *t,
                                          size_t more);

/* Adds the keys with the indexes which[0] to which[n - 1] or, if which is NULL,
 * 0 to n - 1. There must be room for them. Fails only if the bytes of texts
 * find no memory. */
enum distinct_lost distinct_table_add(struct distinct_table *t,
                                      const struct distinct_keys *keys,
                                      const uint16_t *which, size_t n);

/* Some keys that were read from a table. */
enum { DISTINCT_BLOCK = 1024 };
struct distinct_block {
    size_t from; /* the slot to read next; the caller sets it to 0 at first */
    struct distinct_keys keys; /* of the arrays below */
    uint64_t hash[DISTINCT_BLOCK], count[DISTINCT_BLOCK];
    const char *text[DISTINCT_BLOCK];
};

/* Reads the next keys, except the number whose hash is 0. Returns how many they
 * are; 0 after the last. They come from all over the table: in the order of
 * their slots they would fill the first slots of a table that grows, and each
 * key would pass all keys before it. */
size_t distinct_table_read(const struct distinct_table *t,
                           struct distinct_block *to);

static inline uint64_t distinct_table_hash(const struct distinct_table *t,
                                           size_t slot)
{
    return t->kind.is_narrow ? (uint64_t)((const uint32_t *)t->hash)[slot] << 32
                             : ((const uint64_t *)t->hash)[slot];
}

/* The number of keys. */
static inline size_t distinct_table_n(const struct distinct_table *t)
{
    return t->n + t->has_zero;
}

/* How often the number with this hash was added, or 1 if the table does not
 * count; 0: never. */
uint64_t distinct_table_times(const struct distinct_table *t, uint64_t hash);

/* Removes all keys and keeps the slots. */
void distinct_table_clear(struct distinct_table *t);
