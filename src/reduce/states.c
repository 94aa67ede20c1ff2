/* SPDX-License-Identifier: MIT */
#include "reduce/states.h"

#include <stdlib.h>
#include <string.h>

/* The greatest need that a monoid has for any group. */
static enum need need_of(const struct schema *s, enum monoid monoid)
{
    enum need need = monoid_need(monoid, s->dtype);
    for (size_t g = 0; s->dtypes && g < s->groups; g++) {
        enum need other = monoid_need(monoid, s->dtypes[g]);
        need = g == 0 || other > need ? other : need;
    }
    return need;
}

unsigned schema_needing(const struct schema *s, unsigned set, enum need need)
{
    unsigned those = 0;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (set >> m & 1 && need_of(s, (enum monoid)m) == need)
            those |= 1u << m;
    }
    return those;
}

/* The compact form of the monoid's states; NULL: dense states, which own
 * nothing. */
static const struct compact *compact_of(bool is_dense, int monoid)
{
    return is_dense ? NULL : monoids[monoid].compact;
}

/* Bytes of a state, the most of all groups. */
static size_t size_of(const struct schema *s, bool is_dense, int monoid)
{
    const struct compact *compact = compact_of(is_dense, monoid);
    size_t (*of)(enum dtype) = compact ? compact->size : monoids[monoid].size;
    size_t size = 0;
    for (size_t g = 0; g < (s->dtypes ? s->groups : 1); g++) {
        size_t other = of(schema_dtype(s, g));
        size = other > size ? other : size;
    }
    return size;
}

static size_t bytes_of(const struct schema *schema, bool is_dense, unsigned set)
{
    size_t bytes = sizeof(struct tally);
    for (int m = 0; m < MONOIDS_END; m++)
        bytes += set >> m & 1 ? size_of(schema, is_dense, m) : 0;
    return schema->groups * bytes;
}

size_t states_bytes(const struct schema *schema, unsigned set)
{
    return bytes_of(schema, false, set) +
           schema->groups * (schema->text_ends ? sizeof(struct text_ends) : 0) +
           (schema->ranks ? schema->ranks->bytes : 0);
}

size_t states_dense_bytes(const struct schema *schema, unsigned set)
{
    return bytes_of(schema, true, set);
}

/* Initialises the states. They must own nothing. */
static void empty(struct states *s)
{
    memset(s->tally, 0, s->groups * sizeof *s->tally);
    for (size_t g = 0; s->text && g < s->groups; g++)
        text_ends_init(&s->text[g]);
    for (int m = 0; m < MONOIDS_END; m++) {
        const struct compact *compact = compact_of(s->is_dense, m);
        void (*init)(union state *, enum dtype) =
            compact ? compact->init : monoids[m].init;
        for (size_t g = 0; s->bank[m] && g < s->groups; g++)
            init(states_at(s, g, m), schema_dtype(&s->schema, g));
    }
    const struct rank_pass *pass =
        s->bank[MONOID_ranks] ? s->schema.ranks : NULL;
    for (size_t g = 0; pass && g < s->groups; g++)
        states_at(s, g, MONOID_ranks)->ranks.asked = &pass->parts[g];
}

static bool open_banks(struct states *s, struct error *e)
{
    const size_t room = s->groups + 1;
    s->tally = malloc(room * sizeof *s->tally);
    const bool has_texts = s->schema.text_ends && !s->is_dense;
    if (has_texts)
        s->text = malloc(room * sizeof *s->text);
    bool ok = s->tally && (s->text || !has_texts);
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!(s->monoids >> m & 1))
            continue;
        s->size[m] = size_of(&s->schema, s->is_dense, m);
        s->bank[m] = malloc(room * s->size[m]);
        ok = ok && s->bank[m];
    }
    if (!ok) {
        s->groups = 0; /* no state is initialised yet */
        states_close(s);
        return error_memory(e);
    }
    empty(s);
    return true;
}

bool states_open(struct states *s, const struct schema *schema, unsigned set,
                 struct error *e)
{
    *s = (struct states){
        .schema = *schema, .monoids = set, .groups = schema->groups};
    return open_banks(s, e);
}

bool states_open_dense(struct states *s, const struct schema *schema,
                       unsigned set, struct error *e)
{
    *s = (struct states){.schema = *schema,
                         .is_dense = true,
                         .monoids = set,
                         .groups = schema->groups};
    return open_banks(s, e);
}

/* Frees what the states own. */
static void close_all(struct states *s)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        const struct compact *compact = compact_of(s->is_dense, m);
        for (size_t g = 0; compact && s->bank[m] && g < s->groups; g++)
            compact->close(states_at(s, g, m));
    }
    for (size_t g = 0; s->text && g < s->groups; g++)
        text_ends_close(&s->text[g]);
}

void states_close(struct states *s)
{
    close_all(s);
    free(s->tally);
    free(s->text);
    free(s->folded);
    for (int m = 0; m < MONOIDS_END; m++)
        free(s->bank[m]);
    *s = (struct states){.groups = 0};
}

void states_clear(struct states *s)
{
    close_all(s);
    empty(s);
}

bool states_lost(const struct states *s)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        const struct compact *compact = compact_of(s->is_dense, m);
        for (size_t g = 0; compact && s->bank[m] && g < s->groups; g++) {
            if (compact->is_lost(states_at(s, g, m)))
                return true;
        }
    }
    for (size_t g = 0; s->text && g < s->groups; g++) {
        if (s->text[g].lost)
            return true;
    }
    return false;
}

void states_join(struct states *s, const struct states *total)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        const struct compact *compact = compact_of(s->is_dense, m);
        if (!s->bank[m] || !compact || !compact->join)
            continue;
        for (size_t g = 0; g < s->groups; g++)
            compact->join(states_at(s, g, m),
                          total ? states_at(total, g, m) : NULL, s->groups);
    }
}

bool states_check(const struct states *s, size_t group, struct error *e)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        const struct compact *compact = compact_of(s->is_dense, m);
        if (!s->bank[m] || !compact || !compact->refuse)
            continue;
        const union state *state = states_at(s, group, m);
        if (compact->is_lost(state))
            return compact->refuse(state, e);
    }
    return true;
}

void states_merge(struct states *into, const struct states *from, size_t first,
                  size_t end)
{
    for (size_t g = first; g < end; g++) {
        into->tally[g].n += from->tally[g].n;
        into->tally[g].missing += from->tally[g].missing;
        into->tally[g].bad += from->tally[g].bad;
    }
    for (int m = 0; m < MONOIDS_END; m++) {
        for (size_t g = first; into->bank[m] && from->bank[m] && g < end; g++)
            monoids[m].merge(states_at(into, g, m), states_at(from, g, m));
    }
    for (size_t g = first; into->text && from->text && g < end; g++)
        text_ends_merge(&into->text[g], &from->text[g]);
}

void states_map(struct states *s,
                uint64_t (*map)(const void *context, uint64_t position),
                const void *context)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        for (size_t g = 0; s->bank[m] && g < s->groups; g++)
            state_map((enum monoid)m, states_at(s, g, m), map, context);
    }
    for (size_t g = 0; s->text && g < s->groups; g++)
        text_ends_map(&s->text[g], map, context);
}

void states_step_wide(struct states *s, size_t group, struct wide_integer x)
{
    s->tally[group].n++;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (s->bank[m] && monoids[m].step_wide)
            monoids[m].step_wide(states_at(s, group, m), x);
    }
}
