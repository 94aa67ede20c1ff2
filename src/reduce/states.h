/* SPDX-License-Identifier: MIT */
/* The states of groups: an array for each monoid of a set, and what is counted
 * of each group whatever is asked. They are in their compact form, unless they
 * are to be the image of those that a device has. */
#pragma once

#include "base/error.h"
#include "reduce/state.h"
#include "reduce/text_ends.h"

struct tally {
    uint64_t n;            /* elements; of text, cells used */
    uint64_t missing, bad; /* text: the other cells */
};

/* Of text: the records that were read. */
static inline uint64_t tally_rows(const struct tally *t)
{
    return t->n + t->missing + t->bad;
}

/* The groups, by what their elements are. */
struct schema {
    size_t groups;
    enum dtype dtype; /* of all, ... */
    /* ... but where each has its own: [groups], which must outlive the states;
     * or NULL. */
    const enum dtype *dtypes;
    bool text_ends; /* some groups are of texts, whose ends are kept */
    /* What the states of ranks are asked; it outlives them. NULL: nothing. */
    const struct rank_pass *ranks;
};

static inline enum dtype schema_dtype(const struct schema *s, size_t group)
{
    return s->dtypes ? s->dtypes[group] : s->dtype;
}

/* The most that a monoid has to know of any group's elements. */
enum need schema_need(const struct schema *s, enum monoid monoid);

/* The monoids of the set for which that is `need`. */
unsigned schema_needing(const struct schema *s, unsigned set, enum need need);

struct states {
    struct schema schema;
    bool is_dense;
    unsigned monoids;         /* set of MONOID_BIT */
    size_t groups;            /* the schema's */
    struct tally *tally;      /* [groups] */
    char *bank[MONOIDS_END];  /* [groups] states; NULL: not of the set */
    size_t size[MONOIDS_END]; /* bytes of a state, the longest of the dtypes' */
    /* [groups]: beside the table of monoids, as texts are no values; NULL:
     * the schema has none, or the states are an image. */
    struct text_ends *text;
};

/* Bytes of all groups, without those that a few of them may need besides. */
size_t states_bytes(const struct schema *schema, unsigned monoids);
size_t states_dense_bytes(const struct schema *schema, unsigned monoids);

/* All groups empty. On failure nothing is held. */
bool states_open(struct states *s, const struct schema *schema,
                 unsigned monoids, struct error *e);
bool states_open_dense(struct states *s, const struct schema *schema,
                       unsigned monoids, struct error *e);
void states_close(struct states *s);

/* Empties all groups. */
void states_clear(struct states *s);

static inline union state *states_at(const struct states *s, size_t group,
                                     int monoid)
{
    return (union state *)(s->bank[monoid] + group * s->size[monoid]);
}

/* Whether there was no memory for some state, which then has no value. */
bool states_lost(const struct states *s);

/* Lets a worker's states, which are empty, add to the run's where their monoids
 * can; these must outlive them. Any thread. */
void states_join(struct states *s, const struct states *total);

/* False where a state of the group is lost that grows with the data (one whose
 * compact form has `refuse`): the error says why. */
bool states_check(const struct states *s, size_t group, struct error *e);

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
