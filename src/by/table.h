/* SPDX-License-Identifier: MIT */
/*
 * A hash table of keys and their records, for one thread at a time. All its
 * memory is counted by base/memory.h, but for that of exact states that outgrow
 * their record.
 *
 * A key's slot has 32 bits of its hash and the number of its record; the key is
 * compared in the record, whose line of the cache is needed anyway. Rows are
 * looked up many at a time, so that their lines are fetched in parallel.
 *
 * A spill is what a column of a key has beside its record, if anything: how
 * many of its values are -0, the integers that f64 cannot hold (struct wide, in
 * its compact form), and an exact sum of what did not fit the narrow one.
 */
#pragma once

#include "by/texts.h"
#include "by/values.h"

struct by_slot {
    uint32_t tag;    /* of the hash */
    uint32_t record; /* from 1; 0: free */
};

struct by_table {
    const struct by_layout *layout; /* borrowed */
    size_t n, room;                 /* records: there are; there is room for */
    size_t slots;                   /* a power of 2, or 0 */
    struct by_slot *slot;
    char *record;
    size_t spills, spills_room;
    char *spill;
    struct distinct_arena *arena; /* long keys */
    struct by_values values;      /* where the layout keeps them */
    struct by_values ordered;     /* the same, in the order of the data */
    struct by_texts *texts;       /* likewise; NULL: there are none yet */
};

/* Frees all that the table owns, also what its states do. */
void table_close(struct by_table *t);

/* Finds the records of n keys, and adds those of new ones. id[key[i].row]
 * becomes the number of the record, which counts the row. */
enum distinct_lost table_find(struct by_table *t, const struct key_sought *key,
                              size_t n, uint32_t *id);

static inline char *table_record(const struct by_table *t, size_t id)
{
    return t->record + id * t->layout->bytes;
}

static inline const struct by_head *table_head(const struct by_table *t,
                                               size_t id)
{
    return (const struct by_head *)table_record(t, id);
}

/* The spill of a column of a record, which gets one where it has none. NULL: no
 * memory. Valid until another is made. */
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

/* Adds the records [which[i]] of `from`, i < n, to those of the same keys. */
enum distinct_lost table_merge(struct by_table *into,
                               const struct by_table *from,
                               const uint32_t *which, size_t n);

/* False, with the error, where some state is lost for want of memory. */
bool table_check(const struct by_table *t, struct error *e);

/* state_map on all positions. */
void table_map(struct by_table *t,
               uint64_t (*map)(const void *context, uint64_t position),
               const void *context);
