/* SPDX-License-Identifier: MIT */
/*
 * What a worker has before a set: a small table, which finds keys that come
 * again and again without a lock. It is emptied into the set when it is full.
 * Where most keys are new, they pass it by, and wait until many of them can be
 * added to each part of the set at a time. For one thread.
 */
#pragma once

#include "reduce/distinct_set.h"

/* Slots of a worker's table, at most: with counts 256 KiB, in the cache that a
 * core has for itself. */
enum { DISTINCT_SLOTS_MOST = 16 << 10, DISTINCT_SLOTS_LEAST = 64 };

struct distinct_front;

/* NULL where there is no memory. The set must outlive it. */
struct distinct_front *distinct_front_new(struct distinct_set *set,
                                          uint32_t slots);
void distinct_front_free(struct distinct_front *f);

/* Adds keys, as distinct_set_add does. */
enum distinct_lost distinct_front_add(struct distinct_front *f,
                                      const struct distinct_keys *keys,
                                      size_t n);

/* How many texts of n had better pass the table by, to be added to the set by
 * their hashes, for which there is room at *hash; 0: none. */
size_t distinct_front_passes(struct distinct_front *f, size_t n,
                             uint64_t **hash);

/* Gives all that it has to the set. */
enum distinct_lost distinct_front_flush(struct distinct_front *f);
