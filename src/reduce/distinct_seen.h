/* SPDX-License-Identifier: MIT */
/*
 * Which integers of a window were added to a set: a bit for each, so that all
 * of them fit a core's cache where the set does not. Ids and codes are such
 * integers, whatever their type. The workers of a run share the bits. A
 * worker that sets a bit adds the integer to the set; then all leave it out.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"

struct distinct_seen;

/* What a worker knows of its integers. */
struct distinct_unseen {
    struct distinct_seen *seen; /* borrowed; NULL: none so far */
    uint32_t spent; /* keys that were looked up, less what that saved */
    uint32_t rest;  /* further blocks of keys that are not looked up */
};

void distinct_seen_free(struct distinct_seen *s);

/* Leaves those of n <= KEYS_BLOCK keys (reduce/keys.h) out that the set has or
 * will have: points *key to `room` then. Returns how many keys are left, which
 * the caller has to add. *shared is what all workers share, at first NULL; it
 * may be made here, for a window of so many integers, a power of two. Any
 * thread. */
size_t distinct_seen_leave_out(struct distinct_unseen *u,
                               struct distinct_seen **shared, uint64_t integers,
                               enum dtype dtype, const uint64_t **key, size_t n,
                               uint64_t *room);
