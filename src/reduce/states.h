/* SPDX-License-Identifier: MIT */
/* The states of groups: an array for each monoid of a set, and a tally for each
 * group. States are compact, or dense, the form that a device uses. */
#pragma once

#include "base/error.h"
#include "reduce/state.h"
#include "reduce/text_ends.h"
#include "reduce/value.h"

/* The counts that every group has. */
struct tally {
    uint64_t n;            /* elements; of text, cells that have a value */
    uint64_t missing, bad; /* of text: cells without a value */
};

/* The number of records of text that were read. */
static inline uint64_t tally_rows(const struct tally *t)
{
    return t->n + t->missing + t->bad;
}

/* Describes the groups' elements. */
struct schema {
    size_t groups;
    enum dtype dtype; /* of all groups, unless `dtypes` is set */
    /* [groups], the dtype of each group, or NULL. Must outlive the states. */
    const enum dtype *dtypes;
    bool text_ends; /* some groups are text: keep their first and last text */
    /* What the states of ranks do; must outlive them. NULL: nothing. */
    const struct rank_pass *ranks;
};

static inline enum dtype schema_dtype(const struct schema *s, size_t group)
{
    return s->dtypes ? s->dtypes[group] : s->dtype;
}

/* The monoids of the set with that need. */
unsigned schema_needing(const struct schema *s, unsigned set, enum need need);

struct states {
    struct schema schema;
    bool is_dense;            /* else compact */
    unsigned monoids;         /* set of MONOID_BIT */
    size_t groups;            /* as in the schema; 0: not open */
    struct tally *tally;      /* [groups], owned */
    char *bank[MONOIDS_END];  /* [groups] states each, owned; NULL: not in the
                                 set */
    size_t size[MONOIDS_END]; /* bytes of a state, for the largest dtype */
    /* [groups], owned. Texts are not values, so their ends are not a monoid's.
     * NULL: the schema has no texts, or the states are dense. */
    struct text_ends *text;
    /* [groups]: the results of the user's reduction (engine/folds.h), owned; or
     * NULL. */
    struct value *folded;
};

/* Bytes of the states of all groups, without memory that a state may come to
 * own.
 */
size_t states_bytes(const struct schema *schema, unsigned monoids);
size_t states_dense_bytes(const struct schema *schema, unsigned monoids);

/* Makes states of empty groups. On failure *s owns nothing. */
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

/* Whether a state is lost, since it found no memory. */
bool states_lost(const struct states *s);

/* Joins a worker's empty states to the run's, `total`, which must outlive them,
 * for the monoids that have `join`. With `total` NULL, joined states add what
 * they still have. Any thread, without a lock. */
void states_join(struct states *s, const struct states *total);

/* Returns false with an error if a state of the group that grows with the data
 * is lost. Such a state's compact form has `refuse`. */
bool states_check(const struct states *s, size_t group, struct error *e);

/* Merges groups [first, end) of `from`, whose monoids are some of `into`'s. */
void states_merge(struct states *into, const struct states *from, size_t first,
                  size_t end);

/* Calls state_map on all states. */
void states_map(struct states *s,
                uint64_t (*map)(const void *context, uint64_t position),
                const void *context);

/* Adds an integer that f64 cannot hold to all states of a group of f64 that
 * have step_wide. */
void states_step_wide(struct states *s, size_t group, struct wide_integer x);
