/* SPDX-License-Identifier: MIT */
/*
 * A hash table of keys and their records. One thread may use it at a time.
 * base/memory.h counts all its memory, except that of exact states that outgrow
 * their record.
 *
 * A key's slot has 32 bits of its hash and the number of its record. Lookups
 * compare the key in the record, whose cache line is needed anyway. They look
 * up many rows together, so that the cache lines are fetched in parallel.
 *
 * A spill holds what does not fit a column of a record. It has the number of
 * values that are -0, the integers that f64 cannot hold (struct wide, in its
 * compact form), and an exact sum of the values that do not fit the record's.
 */
#pragma once

#include "by/pool.h"
#include "by/texts.h"
#include "by/values.h"

struct by_slot {
    uint32_t tag;    /* see key_tag */
    uint32_t record; /* the number of the record plus 1; 0: the slot is free */
};

/* Records of a piece of memory: those of a sum fill a BY_PIECE. */
enum { BY_SEGMENT = 256 };

/* Starts as zeros but for the layout and the pool. Owns all but these. */
struct by_table {
    const struct by_layout *layout; /* borrowed */
    struct by_pool *pool; /* borrowed: gives segments, and outlives the table;
                           * NULL: the table takes memory of its own */
    size_t n, room;       /* records; records that there is room for */
    size_t slots;         /* a power of 2, or 0 */
    struct by_slot *slot; /* [slots] */
    char **segment; /* [segments]: each has BY_SEGMENT records; if there is but
                     * one, it has `room` */
    size_t segments, segments_room;
    size_t spills, spills_room;   /* as n and room */
    char *spill;                  /* [spills_room] of layout->spill */
    struct distinct_arena *arena; /* the bytes of long keys */
    struct by_values values;      /* if layout->values */
    struct by_values ordered;     /* if layout->spec.in_order */
    struct by_texts *texts;       /* if layout->values; NULL: no texts so far */
};

/* Frees all that the table and its states own, but for pieces of the pool. */
void table_close(struct by_table *t);

/* For the files of the table: makes room for `more` keys. */
enum distinct_lost table_reserve(struct by_table *t, size_t more);

/* Likewise: the first slot that may have a key of this tag. So a table that
 * grows needs no hash again. */
static inline size_t table_slot(const struct by_table *t, uint32_t tag)
{
    return tag & (t->slots - 1);
}

/* Finds the records of n keys, and makes those of new keys. Counts a row in
 * each record, and sets id[row[i]] to its number, or id[i] if row is NULL. */
enum distinct_lost table_find(struct by_table *t, const struct key_sought *key,
                              size_t n, const uint32_t *row, uint32_t *id);

/* The same for n keys, at most TABLE_BATCH, that are `stride` bytes apart. Sets
 * record[i], which is valid until the next call. Fetches ahead for the `ahead`
 * keys that follow. */
enum { TABLE_BATCH = 64 };
enum distinct_lost table_find_records(struct by_table *t, const char *key,
                                      size_t stride, size_t n, size_t ahead,
                                      char **record);

/* The same as table_find for a row of each of n texts, of which only some
 * hundred should be given at a time. For tables that the cache holds: it
 * fetches nothing ahead. */
enum distinct_lost table_find_texts(struct by_table *t,
                                    const struct text_cell *text, size_t n,
                                    uint32_t *id);

/* Whether the records fit a core's L2 cache. */
static inline bool table_is_cached(const struct by_table *t)
{
    enum { MOST = 2 << 10 };
    return t->n <= MOST;
}

static inline char *table_record(const struct by_table *t, size_t id)
{
    return t->segment[id / BY_SEGMENT] + id % BY_SEGMENT * t->layout->bytes;
}

static inline const struct by_head *table_head(const struct by_table *t,
                                               size_t id)
{
    return (const struct by_head *)table_record(t, id);
}

/* The spill of a column of a record. Makes one if there is none. NULL: *lost
 * says why. Valid until the next spill is made. */
char *table_spill(struct by_table *t, struct by_column *column,
                  enum distinct_lost *lost);

static inline char *table_spill_at(const struct by_table *t, uint64_t number)
{
    return t->spill + (number - 1) * t->layout->spill;
}

/* Parts of a spill. */
static inline uint64_t *spill_minus_zeros(char *spill)
{
    return (uint64_t *)spill;
}
static inline union state *spill_wide(char *spill)
{
    return (union state *)(spill + sizeof(uint64_t));
}
static inline union state *spill_sum(const struct by_layout *l, char *spill)
{
    return (union state *)(spill + l->spill_sum);
}

/* Merges the records which[i] of `from`, i < n, into those of the same keys.
 * `which` NULL: the first n. */
enum distinct_lost table_merge(struct by_table *into,
                               const struct by_table *from,
                               const uint32_t *which, size_t n);

/* False, with the error, if a state ran out of memory. */
bool table_check(const struct by_table *t, struct error *e);

/* Calls state_map for all states, and maps all other positions. */
void table_map(struct by_table *t,
               uint64_t (*map)(const void *context, uint64_t position),
               const void *context);
