/* SPDX-License-Identifier: MIT */
/* The states of groups: an array for each monoid of a set, and what is counted
 * of each group whatever is asked. */
#pragma once

#include "base/error.h"
#include "reduce/state.h"

struct tally {
    uint64_t n;            /* elements; of text, cells used */
    uint64_t missing, bad; /* text: the other cells */
};

/* Of text: the records that were read. */
static inline uint64_t tally_rows(const struct tally *t)
{
    return t->n + t->missing + t->bad;
}

struct states {
    enum dtype dtype;
    unsigned monoids; /* set of MONOID_BIT */
    size_t groups;
    struct tally *tally;      /* [groups] */
    char *bank[MONOIDS_END];  /* [groups] states; NULL: not of the set */
    size_t size[MONOIDS_END]; /* bytes of a state */
};

/* Bytes of a group. */
size_t states_bytes(enum dtype dtype, unsigned monoids);

/* All groups empty. On failure nothing is held. */
bool states_open(struct states *s, enum dtype dtype, unsigned monoids,
                 size_t groups, struct error *e);
void states_close(struct states *s);

/* Empties all groups. */
void states_clear(struct states *s);

static inline union state *states_at(const struct states *s, size_t group,
                                     int monoid)
{
    return (union state *)(s->bank[monoid] + group * s->size[monoid]);
}

/* Appends the groups [first, end) of `from`, which has some of the monoids. */
void states_merge(struct states *into, const struct states *from, size_t first,
                  size_t end);

/* state_map on all states. */
void states_map(struct states *s,
                uint64_t (*map)(const void *context, uint64_t position),
                const void *context);

/* Adds an integer that f64 cannot hold to the exact states of a group of f64,
 * and to those of such integers. */
void states_step_wide(struct states *s, size_t group, struct wide_integer x);
