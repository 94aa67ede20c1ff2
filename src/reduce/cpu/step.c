/* SPDX-License-Identifier: MIT */
#include "reduce/cpu/step.h"

#include <stdlib.h>

/* Values of a block: the loops of all monoids pass over it before the next. */
enum { BLOCK = PROD_LEAF };

struct stepper *stepper_open(unsigned set, enum dtype dtype,
                             const struct stepper_options *options,
                             struct error *e)
{
    const size_t bytes =
        sizeof(struct stepper) +
        (size_t)__builtin_popcount(set) * sizeof(struct accumulator);
    struct stepper *s = aligned_alloc(64, (bytes + 63) / 64 * 64);
    struct accumulator *next;
    if (!s)
        return error_memory(e);
    s->dtype = dtype;
    s->loops = options->portable ? &cpu_loops_base : cpu_loops(0);
    s->ordered = NULL;
    s->index = options->index;
    s->map = options->map;
    next = s->accumulators;
    for (int m = 0; m < MONOIDS_END; m++) {
        s->of[m] = NULL;
        if (!(set >> m & 1) || !s->loops->run[m][dtype])
            continue;
        s->of[m] = next++;
        accumulator_init(s->of[m], (enum monoid)m, dtype);
        s->of[m]->fast = options->fast;
    }
    return s;
}

void stepper_close(struct stepper *s)
{
    free(s);
}

/* The column that is being added, and the group whose states it is added to. */
struct addend {
    const struct stepper *stepper;
    const struct column *column;
    struct rows_place place;
    struct states *states;
    size_t group;
};

/* Whether the column needs its own state of a monoid, which is merged later.
 * The loops compare equal elements by their place in this column, so their
 * state must not have elements of an earlier one. */
static bool is_local(const struct stepper *s, const struct addend *a, int m)
{
    return monoid_need((enum monoid)m, s->dtype) == NEED_POSITIONS &&
           (!a->place.follows || a->column->rows);
}

/* The place in the data of a value of a column with gaps. An index function of
 * struct accumulator; its map is a struct addend. */
static uint64_t place_of(const void *addend, uint64_t value)
{
    const struct addend *a = addend;
    return a->place.first + a->column->rows[value];
}

/* The same for the element's index, if indexes are not places. */
static uint64_t index_of(const void *addend, uint64_t value)
{
    const struct addend *a = addend;
    return a->stepper->index(a->stepper->map, place_of(a, value));
}

/* Sets how the accumulator gets the indexes of the column's values. They decide
 * between equal elements, so if they are not places, they cannot be mapped
 * later. */
static void set_index(struct accumulator *w, const struct addend *a)
{
    const bool composes = a->stepper->index && a->column->rows;
    w->index = composes ? index_of : a->stepper->index;
    w->map = composes ? a : a->stepper->map;
}

static void begin(struct stepper *s, const struct addend *a, int m)
{
    union state *local = &s->local[m];
    set_index(s->of[m], a);
    if (is_local(s, a, m)) {
        monoids[m].init(local, s->dtype);
        accumulator_begin(s->of[m], local);
    } else if (monoid_need((enum monoid)m, s->dtype) == NEED_ORDER) {
        accumulator_begin(s->of[m], s->ordered);
    } else {
        accumulator_begin(s->of[m], states_at(a->states, a->group, m));
    }
}

static void end(struct stepper *s, const struct addend *a, int m)
{
    accumulator_end(s->of[m]);
    if (!is_local(s, a, m))
        return;
    if (a->column->rows && !s->index)
        state_map((enum monoid)m, &s->local[m], place_of, a);
    monoids[m].merge(states_at(a->states, a->group, m), &s->local[m]);
}

/* Runs the loops of every monoid over the values. In a column with gaps, a
 * value's position is its number among the values, which set_index or `end`
 * maps. */
static void run(struct stepper *s, const struct addend *a, unsigned set)
{
    const struct dtype_info *info = dtype_info(a->column->dtype);
    const char *p = a->column->values;
    const uint64_t first = a->column->rows ? 0 : a->place.first;
    for (size_t i = 0; i < a->column->n; i += BLOCK) {
        size_t left = a->column->n - i, n = left < BLOCK ? left : BLOCK;
        const void *block = p + i * info->size;
        if (info->widen) {
            info->widen(s->wide, block, n);
            block = s->wide;
        }
        for (int m = 0; m < MONOIDS_END; m++) {
            if (set >> m & 1 && s->of[m])
                s->loops->run[m][s->dtype](s->of[m], block, n, first + i);
        }
    }
}

static void add_values(struct stepper *s, const struct addend *a, unsigned set)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        if (set >> m & 1 && s->of[m])
            begin(s, a, m);
    }
    run(s, a, set);
    for (int m = 0; m < MONOIDS_END; m++) {
        if (set >> m & 1 && s->of[m])
            end(s, a, m);
    }
}

/* Adds the column to those monoids of the set that take whole columns. */
static void add_whole(const struct addend *a, unsigned set)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        if (set >> m & 1 && monoids[m].add)
            monoids[m].add(states_at(a->states, a->group, m), a->column);
    }
}

void stepper_add(struct stepper *s, unsigned set, const struct column *column,
                 struct rows_place place, struct states *states, size_t group)
{
    const struct addend addend = {s, column, place, states, group};
    struct tally *tally = &states->tally[group];
    tally->n += column->n;
    tally->missing += column->missing;
    tally->bad += column->bad;
    if (column->n > 0 && (column->values || column->texts))
        add_whole(&addend, set);
    if (column->n > 0 && column->values)
        add_values(s, &addend, set);
    if (states->text && column->ends)
        text_ends_keep(&states->text[group], column->ends, place.first);
    if (states->bank[MONOID_wide])
        states_at(states, group, MONOID_wide)->wide.rounded += column->rounded;
    for (size_t i = 0; i < column->wides; i++) {
        struct wide_integer w = column->wide[i];
        w.index += place.first;
        if (s->index)
            w.index = s->index(s->map, w.index);
        states_step_wide(states, group, w);
    }
}

void stepper_add_ordered(struct stepper *s, unsigned set,
                         const struct column *column, struct rows_place place)
{
    const struct addend addend = {s, column, place, NULL, 0};
    if (column->n > 0)
        add_values(s, &addend, set);
}
