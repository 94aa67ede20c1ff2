/* SPDX-License-Identifier: MIT */
/*
 * The distinct keys of a group, which all workers add to: one table while there
 * are few, then PARTS tables by the upper bits of the hashes, each with a lock.
 * So its memory is that of the distinct keys, whatever the number of workers,
 * and nothing large is merged at the end.
 */
#pragma once

#include "reduce/distinct_table.h"

enum {
    /* Keys that are added at a time, and slots of a table that they are of. */
    DISTINCT_MOST = 16 << 10,
};

struct distinct_set;

/* NULL where there is no memory. */
struct distinct_set *distinct_set_new(struct distinct_kind kind);
void distinct_set_free(struct distinct_set *s);

/* As distinct_table_add, for n <= DISTINCT_MOST, and with the room made. Any
 * thread. A set that is lost stays so. */
enum distinct_lost distinct_set_add(struct distinct_set *s,
                                    const struct distinct_keys *keys,
                                    const uint16_t *which, size_t n);

/* Adds numbers that come once each, so many that `room` [n] is needed to sort
 * them. */
enum distinct_lost distinct_set_add_many(struct distinct_set *s,
                                         const uint64_t *hash, uint64_t *room,
                                         size_t n);

/* Why the set is lost, or DISTINCT_KEPT. Any thread. */
enum distinct_lost distinct_set_lost(const struct distinct_set *s);

/* How many keys it has; while others add to it, about. Any thread. */
uint64_t distinct_set_n(struct distinct_set *s);

/* Its tables, once nobody adds to it: NULL past the last. */
const struct distinct_table *distinct_set_table(const struct distinct_set *s,
                                                size_t i);

struct distinct_kind distinct_set_kind(const struct distinct_set *s);
