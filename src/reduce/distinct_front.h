/* SPDX-License-Identifier: MIT */
/*
 * A worker's small table in front of a set. It finds repeated keys without a
 * lock, and is emptied into the set when it is full. If most keys are new, they
 * bypass the table and wait until many can be added to each part of the set
 * together. For use by one thread.
 */
#pragma once

#include "reduce/distinct_set.h"

/* Most and fewest slots of a worker's table. With counts, the most take 256
 * KiB, which fits a core's own cache. */
enum { DISTINCT_SLOTS_MOST = 16 << 10, DISTINCT_SLOTS_LEAST = 64 };

struct distinct_front;

/* NULL: out of memory. The set must outlive it. */
struct distinct_front *distinct_front_new(struct distinct_set *set,
                                          uint32_t slots);
void distinct_front_free(struct distinct_front *f);

/* Adds keys, as distinct_set_add does. */
enum distinct_lost distinct_front_add(struct distinct_front *f,
                                      const struct distinct_keys *keys,
                                      size_t n);

/* Whether most keys are new, so that they bypass the table, and many have. */
bool distinct_front_is_passed(const struct distinct_front *f);

/* Returns how many of n texts should bypass the table. The caller adds these to
 * the set itself; *hash is memory for their hashes. */
size_t distinct_front_passes(struct distinct_front *f, size_t n,
                             uint64_t **hash);

/* Empties the table and the waiting keys into the set. */
enum distinct_lost distinct_front_flush(struct distinct_front *f);
