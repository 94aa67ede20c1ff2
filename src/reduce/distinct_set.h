/* SPDX-License-Identifier: MIT */
/*
 * The distinct keys of a group, to which all workers add. It is one table while
 * the keys are few, then PARTS tables by the upper bits of the hashes, each
 * with a lock. So its memory depends only on the distinct keys, not on the
 * number of workers, and nothing large is merged at the end.
 */
#pragma once

#include "reduce/distinct_table.h"

enum {
    /* Most keys of a call, and most slots of the table that they come from. */
    DISTINCT_MOST = 16 << 10,
};

struct distinct_set;

/* NULL: out of memory. */
struct distinct_set *distinct_set_new(struct distinct_kind kind);
void distinct_set_free(struct distinct_set *s);

/* As distinct_table_add, for n <= DISTINCT_MOST, but makes the room. Any
 * thread. Once a set is lost, it stays lost. */
enum distinct_lost distinct_set_add(struct distinct_set *s,
                                    const struct distinct_keys *keys,
                                    const uint16_t *which, size_t n);

/* Adds n numbers, each counted once. They are sorted by part first: room[n] is
 * scratch. */
enum distinct_lost distinct_set_add_many(struct distinct_set *s,
                                         const uint64_t *hash, uint64_t *room,
                                         size_t n);

/* Why the set is lost, or DISTINCT_KEPT. Any thread. */
enum distinct_lost distinct_set_lost(const struct distinct_set *s);

/* The number of keys; approximate while others add to the set. Any thread. */
uint64_t distinct_set_n(struct distinct_set *s);

/* Table number i; NULL after the last. Call it when no thread adds any more. */
const struct distinct_table *distinct_set_table(const struct distinct_set *s,
                                                size_t i);

struct distinct_kind distinct_set_kind(const struct distinct_set *s);
