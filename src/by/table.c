/* SPDX-License-Identifier: MIT */
#include "by/table.h"

#include <string.h>

enum {
    LEAST_SLOTS = 64,
    LEAST_ROOM = 4,
    /* Up to this many slots are kept at most three eighths full. They stay in a
     * core's L1 cache anyway, and probing a second slot is a branch that the
     * processor seldom predicts. */
    SPARSE = 4 << 10,
};

/* Frees what the states of a monoid own. */
static void close_states(struct by_table *t, int m)
{
    const struct by_layout *l = t->layout;
    for (size_t i = 0; i < t->n; i++) {
        for (size_t c = 0; c < l->columns; c++) {
            char *column = layout_column(l, table_record(t, i), c);
            monoids[m].compact->close(layout_state(l, column, m));
        }
    }
}

static void close_ends(struct by_table *t)
{
    const struct by_layout *l = t->layout;
    for (size_t i = 0; i < t->n * l->columns; i++) {
        char *record = table_record(t, i / l->columns);
        text_ends_close(
            layout_ends(l, layout_column(l, record, i % l->columns)));
    }
}

/* Whether so many slots are taken from the pool. Fewer ones
 * are not mapped, and more ones have huge pages of their own. */
static bool are_pooled(const struct by_table *t, size_t slots)
{
    enum { LEAST = 8 << 10, MOST = 128 << 10 };
    return t->pool && slots >= LEAST && slots <= MOST;
}

static void give_slots(struct by_table *t, struct by_slot *slot, size_t slots)
{
    if (are_pooled(t, slots))
        by_pool_give(t->pool, (char *)slot, slots * sizeof *slot);
    else
        distinct_give(slot, slots * sizeof *slot);
}

/* Whether the segments are the pool's. */
static bool is_pooled(const struct by_table *t)
{
    return t->pool && t->room >= BY_SEGMENT;
}

static void free_segments(struct by_table *t)
{
    const size_t records = t->room < BY_SEGMENT ? t->room : BY_SEGMENT;
    for (size_t i = 0; i < t->segments && !is_pooled(t); i++)
        distinct_give(t->segment[i], records * t->layout->bytes);
    distinct_give(t->segment, t->segments_room * sizeof *t->segment);
}

void table_close(struct by_table *t)
{
    const struct by_layout *l = t->layout;
    for (int m = 0; m < MONOIDS_END; m++) {
        if (l->at[m] && m != MONOID_sum && monoids[m].compact)
            close_states(t, m);
    }
    if (l->ends)
        close_ends(t);
    for (size_t i = 1; i <= t->spills; i++) {
        char *spill = table_spill_at(t, i);
        monoids[MONOID_wide].compact->close(spill_wide(spill));
        monoids[MONOID_sum].compact->close(spill_sum(l, spill));
    }
    give_slots(t, t->slot, t->slots);
    free_segments(t);
    distinct_give(t->spill, t->spills_room * l->spill);
    distinct_arena_free(t->arena);
    by_values_close(&t->values);
    by_values_close(&t->ordered);
    by_texts_close(t->texts);
    *t = (struct by_table){.layout = l, .pool = t->pool};
}

/* Replaces the slots by more of them. */
static enum distinct_lost grow_slots(struct by_table *t, size_t slots)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    struct by_slot *old = t->slot;
    const size_t before = t->slots;
    const size_t bytes = slots * sizeof(struct by_slot);
    struct by_slot *slot = are_pooled(t, slots)
                               ? (void *)by_pool_take(t->pool, bytes, &lost)
                               : distinct_take(bytes, &lost);
    if (!slot)
        return lost;
    t->slot = slot;
    t->slots = slots;
    for (size_t i = 0; i < before; i++) {
        size_t at = table_slot(t, old[i].tag);
        if (!old[i].record)
            continue;
        while (slot[at].record)
            at = (at + 1) & (slots - 1);
        slot[at] = old[i];
    }
    give_slots(t, old, before);
    return DISTINCT_KEPT;
}

/* Replaces an array by a longer copy. It has *room items of `bytes` bytes. */
static enum distinct_lost grow(char **array, size_t *room, size_t bytes)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    const size_t more = *room ? 2 * *room : LEAST_ROOM;
    char *grown = distinct_take(more * bytes, &lost);
    if (!grown)
        return lost;
    if (*array)
        memcpy(grown, *array, *room * bytes);
    distinct_give(*array, *room * bytes);
    *array = grown;
    *room = more;
    return DISTINCT_KEPT;
}

/* Makes the first segment longer until it is full, then adds others. */
static enum distinct_lost add_records(struct by_table *t)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    const bool is_first = t->room < BY_SEGMENT;
    const size_t records = !is_first ? BY_SEGMENT
                           : t->room ? 2 * t->room
                                     : LEAST_ROOM;
    if (t->segments == t->segments_room)
        lost =
            grow((char **)&t->segment, &t->segments_room, sizeof *t->segment);
    if (lost)
        return lost;
    const size_t bytes = records * t->layout->bytes;
    char *segment = t->pool && records == BY_SEGMENT
                        ? by_pool_take(t->pool, bytes, &lost)
                        : distinct_take(bytes, &lost);
    if (!segment)
        return lost;
    if (is_first && t->room > 0) {
        const size_t before = t->room * t->layout->bytes;
        memcpy(segment, t->segment[0], before);
        distinct_give(t->segment[0], before);
        t->segments = 0;
        t->room = 0;
    }
    t->segment[t->segments++] = segment;
    t->room += records;
    return DISTINCT_KEPT;
}

/* Whether the keys are too many for the slots. At most five eighths of these
 * may be taken, or three eighths if they are few. */
static bool are_full(size_t slots, size_t keys)
{
    return keys * 8 > slots * (slots <= SPARSE ? 3 : 5);
}

enum distinct_lost table_reserve(struct by_table *t, size_t more)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    size_t slots = t->slots ? t->slots : LEAST_SLOTS;
    if (t->n + more >= UINT32_MAX)
        return DISTINCT_LIMIT;
    while (are_full(slots, t->n + more))
        slots *= 2;
    if (slots > t->slots)
        lost = grow_slots(t, slots);
    while (!lost && t->n + more > t->room)
        lost = add_records(t);
    return lost;
}

char *table_spill(struct by_table *t, struct by_column *column,
                  enum distinct_lost *lost)
{
    const struct by_layout *l = t->layout;
    if (column->spill)
        return table_spill_at(t, column->spill);
    if (t->spills == t->spills_room) {
        *lost = grow(&t->spill, &t->spills_room, l->spill);
        if (*lost)
            return NULL;
    }
    column->spill = ++t->spills;
    char *spill = table_spill_at(t, column->spill);
    *spill_minus_zeros(spill) = 0;
    monoids[MONOID_wide].compact->init(spill_wide(spill), l->dtype);
    monoids[MONOID_sum].compact->init(spill_sum(l, spill), l->dtype);
    return spill;
}
