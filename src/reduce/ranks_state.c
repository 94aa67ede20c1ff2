/* SPDX-License-Identifier: MIT */
#include "reduce/ranks_state.h"

#include "base/memory.h"

size_t ranks_size(enum dtype dtype)
{
    (void)dtype;
    return sizeof(struct ranks);
}

void ranks_begin(union state *s, enum dtype dtype)
{
    (void)dtype;
    ranks_init(&s->ranks);
}

/* Merging may take memory that the other state owns, which const would forbid.
 */
void ranks_append(union state *into, const union state *from)
{
    ranks_merge(&into->ranks, (struct ranks *)&from->ranks);
}

static void ranks_end(union state *s)
{
    ranks_close(&s->ranks);
}

static bool ranks_is_lost(const union state *s)
{
    return s->ranks.lost;
}

static bool ranks_refuse(const union state *s, struct error *e)
{
    (void)s;
    return memory_refuse(e, RANKS_LOST);
}

const struct compact ranks_compact = {ranks_size,    ranks_begin, ranks_end,
                                      ranks_is_lost, NULL,        NULL,
                                      NULL,          ranks_refuse};

void ranks_step_wide(union state *s, struct wide_integer x)
{
    ranks_add_wide(&s->ranks, x);
}

uint64_t ranks_nans(const union state *s)
{
    return s->ranks.nans;
}
