/* SPDX-License-Identifier: MIT */
/*
 * The search for the values of ranks among keys on the device.
 *
 * A sorted sample gives a bracket, two keys between which the ranks are with
 * almost certainty. One pass over the keys counts what is below, equal to and
 * between the two, and gathers what is between: among these, a few percent, the
 * search goes on. What is equal to one of the two is only counted, so that data
 * of few distinct values end the search. A bracket that misses a rank is seen
 * by the counts, and the search fails without a result.
 */
#pragma once

#include "kernels/rank/key.h"

enum {
    RANK_SAMPLES = 4096,
    /* From a rank to the bracket's ends, in samples: 4.1 standard deviations
     * of a random sample's median, and less of other ranks. */
    RANK_MARGIN = 132,
};

/* In device memory. Keys are distances from the least number's key. */
struct rank_target {
    uint64_t n;       /* keys that are left */
    uint64_t rank[2]; /* among them, ascending; they may be equal */
    uint64_t key[2];  /* of those that are known */
    uint32_t known;   /* bit i: of rank i */
    uint32_t has_failed;
    uint64_t low, high; /* the bracket */
    uint64_t less[3];   /* keys < low, <= low, <= high */
    uint64_t gathered;  /* keys between, of which the buffer has its room */
};

enum { RANK_BOTH = 3 };

/* Before the keys in a search's memory: the target, and counters of bins. */
enum { RANK_COUNTERS = 4096, RANK_HEAD = 8 * RANK_COUNTERS + 256 };

HD bool rank_is_over(const struct rank_target *t)
{
    return t->has_failed || t->known == RANK_BOTH;
}

HD void rank_find(struct rank_target *t, unsigned i, uint64_t key)
{
    t->key[i] = key;
    t->known |= 1u << i;
}

/* The sorted sample's index of the bracket's end for rank i. */
HD unsigned rank_sample_at(const struct rank_target *t, unsigned i, int margin)
{
    const double share = (double)t->rank[i] / (double)t->n;
    const int at = (int)(share * RANK_SAMPLES) + margin;
    return at < 0 ? 0 : at >= RANK_SAMPLES ? RANK_SAMPLES - 1 : (unsigned)at;
}

/* The first and the last rank that are not known. */
HD unsigned rank_first_open(const struct rank_target *t)
{
    return t->known & 1;
}

HD unsigned rank_last_open(const struct rank_target *t)
{
    return t->known & 2 ? 0 : 1;
}

/* Looks up rank i in the counts of a pass; it may be among the gathered keys
 * then, of which it gets its rank. */
HD void rank_settle_one(struct rank_target *t, unsigned i)
{
    const uint64_t rank = t->rank[i];
    if (rank < t->less[0] || rank >= t->less[2])
        t->has_failed = 1;
    else if (rank < t->less[1])
        rank_find(t, i, t->low);
    else if (rank < t->less[1] + t->gathered)
        t->rank[i] = rank - t->less[1];
    else
        rank_find(t, i, t->high);
}

/* After a pass: what is known, and what is left of the search, in a buffer of
 * `room` keys. */
HD void rank_settle(struct rank_target *t, uint64_t room)
{
    for (unsigned i = 0; i < 2; i++) {
        if (!(t->known >> i & 1))
            rank_settle_one(t, i);
    }
    if (t->known != RANK_BOTH && t->gathered > room)
        t->has_failed = 1;
    t->n = t->gathered;
}

HD void rank_begin_pass(struct rank_target *t, uint64_t low, uint64_t high)
{
    t->low = low;
    t->high = high;
    t->less[0] = t->less[1] = t->less[2] = 0;
    t->gathered = 0;
}

/* The element of which sample i is a copy: one of each of RANK_SAMPLES strata,
 * so that sorted data are sampled evenly; `seed` decides which. */
HD uint64_t rank_sample_of(uint64_t i, uint64_t n, uint64_t random)
{
    const uint64_t each = n / RANK_SAMPLES;
    return i * each + (each ? random % each : 0) +
           i * (n % RANK_SAMPLES) / RANK_SAMPLES;
}
