/* SPDX-License-Identifier: MIT */
/*
 * Each rank has a share of the tables, and so of the keys by their hash. In
 * round k it sends the tables of the share of rank r + k, and merges those of
 * its own share that rank r - k sends.
 */
#include "ranks/keys.h"

#include <stdlib.h>

#include "ranks/gather.h"
#include "saved/parts.h"

/* Keys travel in messages of about so many bytes. */
enum { MESSAGE = 4 << 20 };

static unsigned first_table(const struct link *l, int rank)
{
    return (unsigned)((uint64_t)GROUPS_TABLES * (unsigned)rank /
                      (unsigned)l->ranks);
}

/* Moves tables [*table, end) to a message, until it is full. */
static void pack(struct groups *g, unsigned *table, unsigned end,
                 struct saved_bytes *out)
{
    out->n = 0;
    while (*table < end && out->n < MESSAGE) {
        saved_put_table(out, g, *table);
        table_close(&g->part[(*table)++].table);
    }
}

/* Makes groups like others, with the first rows of keys or without. */
static struct groups *make_groups(const struct groups *like, bool is_first,
                                  struct error *e)
{
    const struct by_layout *l = &like->layout;
    const unsigned wide = l->has_wide ? MONOID_BIT(wide) : 0;
    struct by_spec spec = l->spec;
    spec.is_first = is_first;
    return groups_new(&spec, l->dtype, l->columns, l->monoids | wide, e);
}

/* Merges the keys of a message. */
static void unpack(const struct saved *s, const struct saved_bytes *in)
{
    struct saved_reader r = {.at = in->at, .end = in->at + in->n};
    struct error e;
    struct groups *next =
        make_groups(s->groups, s->groups->layout.spec.is_first, &e);
    bool ok = next;
    while (ok && r.at < r.end) {
        ok = saved_get_keys(&r, next, &s->question, s->elements) ||
             error_memory(&e);
    }
    if (!ok || !saved_merge_keys(s->groups, next, &e))
        link_fail(&e);
    groups_free(next);
}

static void exchange(const struct link *l, const struct saved *s, int k)
{
    const int to = (l->rank + k) % l->ranks,
              from = (l->rank + l->ranks - k) % l->ranks;
    unsigned table = first_table(l, to);
    const unsigned end = first_table(l, to + 1);
    struct saved_bytes out = {NULL, 0, 0, false}, in = out;
    bool sends = true, more = true;
    while (sends || more) {
        if (sends)
            pack(s->groups, &table, end, &out);
        in.n = 0;
        more = link_exchange(sends ? &out : NULL, table < end, to,
                             more ? &in : NULL, from);
        sends = table < end;
        unpack(s, &in);
    }
    free(out.at);
    free(in.at);
}

static uint64_t move(const void *base, uint64_t position)
{
    return *(const uint64_t *)base + position;
}

/* Gives s the groups that this rank has reduced, whose positions become those
 * in all data. A rank without keys may not know what they look like; those of
 * the question do, but always have first rows. */
static bool open_groups(const struct link *l, struct saved *s,
                        const struct plan *plan, struct part *p)
{
    struct groups *const empty = s->groups;
    uint64_t base = 0;
    for (size_t i = 0; i < (size_t)l->rank * plan->datasets->count; i++)
        base += s->input[i].elements;
    if (p->groups && groups_keys(p->groups) > 0) {
        s->groups = p->groups;
        p->groups = NULL;
    } else {
        s->groups = make_groups(empty, plan->by_first, &p->error);
    }
    groups_free(empty);
    return s->groups && groups_finish(s->groups, move, &base, &p->error);
}

void keys_share(const struct link *l, struct plan *plan, struct part *p)
{
    struct saved s;
    tree_share(l, p);
    if (!tree_open(&s, p, 0) || !open_groups(l, &s, plan, p))
        link_fail(&p->error);
    for (int k = 1; k < l->ranks; k++)
        exchange(l, &s, k);
    if (!groups_finish(s.groups, NULL, NULL, &p->error) ||
        !tree_take(plan, &s, p, &p->error))
        link_fail(&p->error);
    plan->joint = gather_open(l);
}
