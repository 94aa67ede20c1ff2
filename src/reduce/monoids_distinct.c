/* SPDX-License-Identifier: MIT */
/* The monoids whose states grow with the data, distinct values and ranks: the
 * parts of their rows. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/distinct_items.h"
#include "reduce/distinct_table.h"
#include "reduce/monoids_parts.h"

#define STATE(name)                                              \
    size_t name##_size(enum dtype dtype)                         \
    {                                                            \
        (void)dtype;                                             \
        return sizeof(struct name);                              \
    }                                                            \
    void name##_step_wide(union state *s, struct wide_integer x) \
    {                                                            \
        name##_add_wide(&s->name, x);                            \
    }                                                            \
    static void name##_end(union state *s)                       \
    {                                                            \
        name##_close(&s->name);                                  \
    }

STATE(distinct)
STATE(sketch)
STATE(ranks)

/* The monoids that add whole columns. */
#define COLUMNS(name)                                              \
    void name##_append(union state *into, const union state *from) \
    {                                                              \
        name##_merge(&into->name, &from->name);                    \
    }                                                              \
    void name##_step(union state *s, const struct column *column)  \
    {                                                              \
        name##_add(&s->name, column);                              \
    }

COLUMNS(distinct)
COLUMNS(sketch)

/* Merging may take memory that the other state owns, which const would forbid.
 */
void ranks_append(union state *into, const union state *from)
{
    ranks_merge(&into->ranks, (struct ranks *)&from->ranks);
}

void distinct_begin(union state *s, enum dtype dtype)
{
    (void)dtype;
    distinct_init(&s->distinct, false);
}

void tallies_begin(union state *s, enum dtype dtype)
{
    (void)dtype;
    distinct_init(&s->distinct, true);
}

void sketch_begin(union state *s, enum dtype dtype)
{
    (void)dtype;
    sketch_init(&s->sketch);
}

void ranks_begin(union state *s, enum dtype dtype)
{
    (void)dtype;
    ranks_init(&s->ranks);
}

uint64_t ranks_nans(const union state *s)
{
    return s->ranks.nans;
}

size_t sketch_to(const union state *s, uint8_t *to)
{
    return sketch_write(&s->sketch, to);
}

bool sketch_from(union state *s, enum dtype dtype, const uint8_t *from,
                 size_t bytes)
{
    (void)dtype;
    return sketch_read(&s->sketch, from, bytes);
}

size_t distinct_to(const union state *s, uint8_t *to)
{
    return distinct_write(&s->distinct, to);
}

bool distinct_from(union state *s, enum dtype dtype, const uint8_t *from,
                   size_t bytes)
{
    return distinct_read(&s->distinct, dtype, from, bytes);
}

static bool distinct_lost(const union state *s)
{
    return distinct_is_lost(&s->distinct) != DISTINCT_KEPT;
}

static bool sketch_lost(const union state *s)
{
    return s->sketch.lost != DISTINCT_KEPT;
}

static bool ranks_lost(const union state *s)
{
    return s->ranks.lost;
}

static void distinct_joined(union state *s, union state *total, size_t groups)
{
    if (total)
        distinct_join(&s->distinct, &total->distinct, groups);
    else
        distinct_flush(&s->distinct);
}

static bool distinct_refused(const union state *s, struct error *e)
{
    char what[100];
    const struct distinct *d = &s->distinct;
    if (distinct_is_lost(d) == DISTINCT_NO_MEMORY)
        return error_memory(e);
    snprintf(what, sizeof what, "keeping more than %" PRIu64 " distinct values",
             distinct_n(d, DTYPE_u64, false));
    memory_refuse(e, what);
    const size_t used = strlen(e->text);
    snprintf(e->text + used, sizeof e->text - used,
             "\nTo estimate how many there are, say -o approx_nunique.");
    return false;
}

static bool sketch_refused(const union state *s, struct error *e)
{
    if (s->sketch.lost == DISTINCT_NO_MEMORY)
        return error_memory(e);
    return memory_refuse(e, "estimating the distinct values of each column");
}

static bool ranks_refused(const union state *s, struct error *e)
{
    (void)s;
    return memory_refuse(e, RANKS_LOST);
}

#define COMPACT(name, of, joined)                                \
    const struct compact name##_compact = {.size = of##_size,    \
                                           .init = name##_begin, \
                                           .close = of##_end,    \
                                           .is_lost = of##_lost, \
                                           .join = joined,       \
                                           .refuse = of##_refused}

COMPACT(distinct, distinct, distinct_joined);
COMPACT(tallies, distinct, distinct_joined);
COMPACT(sketch, sketch, NULL);
COMPACT(ranks, ranks, NULL);
