/* SPDX-License-Identifier: MIT */
#include "reduce/states.h"

#include <stdlib.h>
#include <string.h>

enum need schema_need(const struct schema *s, enum monoid monoid)
{
    enum need need = monoid_need(monoid, s->dtype);
    for (size_t g = 0; s->dtypes && g < s->groups; g++) {
        enum need other = monoid_need(monoid, s->dtypes[g]);
        need = g == 0 || other > need ? other : need;
    }
    return need;
}

/* Bytes of a state of any group. */
static size_t size_of(const struct schema *s, int monoid)
{
    size_t size = 0;
    for (size_t g = 0; g < (s->dtypes ? s->groups : 1); g++) {
        size_t other = monoids[monoid].size(schema_dtype(s, g));
        size = other > size ? other : size;
    }
    return size;
}

size_t states_bytes(const struct schema *schema, unsigned set)
{
    size_t bytes = sizeof(struct tally);
    for (int m = 0; m < MONOIDS_END; m++)
        bytes += set >> m & 1 ? size_of(schema, m) : 0;
    return schema->groups * bytes;
}

bool states_open(struct states *s, const struct schema *schema, unsigned set,
                 struct error *e)
{
    const size_t room = schema->groups + 1;
    *s = (struct states){
        .schema = *schema, .monoids = set, .groups = schema->groups};
    s->tally = malloc(room * sizeof *s->tally);
    bool ok = s->tally;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!(set >> m & 1))
            continue;
        s->size[m] = size_of(schema, m);
        s->bank[m] = malloc(room * s->size[m]);
        ok = ok && s->bank[m];
    }
    if (!ok) {
        states_close(s);
        return error_set(e, ERROR_DATA, "out of memory");
    }
    states_clear(s);
    return true;
}

void states_close(struct states *s)
{
    free(s->tally);
    for (int m = 0; m < MONOIDS_END; m++)
        free(s->bank[m]);
    *s = (struct states){.groups = 0};
}

void states_clear(struct states *s)
{
    memset(s->tally, 0, s->groups * sizeof *s->tally);
    for (int m = 0; m < MONOIDS_END; m++) {
        for (size_t g = 0; s->bank[m] && g < s->groups; g++)
            monoids[m].init(states_at(s, g, m), schema_dtype(&s->schema, g));
    }
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
}

void states_map(struct states *s,
                uint64_t (*map)(const void *context, uint64_t position),
                const void *context)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        for (size_t g = 0; s->bank[m] && g < s->groups; g++)
            state_map((enum monoid)m, states_at(s, g, m), map, context);
    }
}

void states_step_wide(struct states *s, size_t group, struct wide_integer x)
{
    s->tally[group].n++;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (s->bank[m] && monoids[m].step_wide)
            monoids[m].step_wide(states_at(s, group, m), x);
    }
}
