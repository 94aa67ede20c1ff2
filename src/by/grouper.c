/* SPDX-License-Identifier: MIT */
/* Groups the rows of one worker. */
#include <stdlib.h>

#include "by/grouper_parts.h"

enum {
    /* A worker gives up its own table when its records have more bytes than
     * this: with its slots the table then exceeds a core's own cache. The
     * tables of sixteen workers take 64 MiB. */
    OWN_BYTES = 4 << 20,
    /* It gives it up at OWN_BYTES / KEYS_TO_COME if there are almost as many
     * keys as rows so far: if nine of ten rows have a key of their own, the
     * data have about five times as many keys. */
    KEYS_TO_COME = 5,
};

struct grouper *grouper_open(struct groups *groups, bool is_portable,
                             struct error *e)
{
    static _Atomic unsigned opened;
    enum { STRIDE = 11 };
    struct grouper *g = calloc(1, sizeof *g);
    if (!g) {
        error_memory(e);
        return NULL;
    }
    if (!by_pool_open(&g->pool)) {
        free(g);
        error_memory(e);
        return NULL;
    }
    g->groups = groups;
    g->own = (struct by_table){.layout = &groups->layout, .pool = &g->pool};
    /* Kept values cannot be merged from one table into another. */
    g->is_shared = layout_keeps(&groups->layout);
    g->start = opened++ * STRIDE % GROUPS_TABLES;
    g->kept = calloc(groups->layout.columns + 1, sizeof *g->kept);
    if ((g->kept || error_memory(e)) &&
        runs_open(&g->runs, &groups->layout, is_portable, e))
        return g;
    grouper_close(g);
    return NULL;
}

void grouper_close(struct grouper *g)
{
    if (!g)
        return;
    table_close(&g->own);
    by_pool_close(&g->pool);
    runs_close(&g->runs);
    queue_close(&g->queue);
    free(g->hash);
    free(g->sorted);
    free(g->id);
    free(g->order);
    free(g->values);
    for (size_t c = 0; g->kept && c < g->groups->layout.columns; c++)
        kept_free(&g->kept[c]);
    free(g->kept);
    free(g);
}

struct by_table *grouper_own(struct grouper *g)
{
    return &g->own;
}

bool grouper_room(struct grouper *g, size_t n, struct error *e)
{
    if (n <= g->room)
        return true;
    uint32_t **const arrays[] = {&g->id, &g->order, &g->values};
    free(g->hash);
    free(g->sorted);
    g->room = n + n / 4;
    g->hash = malloc(g->room * sizeof *g->hash);
    g->sorted = malloc(g->room * sizeof *g->sorted);
    bool ok = g->hash && g->sorted;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        free(*arrays[i]);
        *arrays[i] = malloc(g->room * sizeof **arrays[i]);
        ok = ok && *arrays[i];
    }
    g->room = ok ? g->room : 0;
    return ok || error_memory(e);
}

/* Finds the selected ones of a batch of rows in the worker's own table. */
static enum distinct_lost find_some(struct grouper *g, size_t first, size_t end)
{
    const struct grouper_rows *rows = &g->rows;
    struct key_sought key[BATCH];
    uint32_t row[BATCH];
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        key[n] = key_seek(rows->key[i]);
        row[n] = (uint32_t)i;
        n += !rows->selected || rows->selected[i];
    }
    g->seen += n;
    return n > 0 ? grouper_find(g, &g->own, key, row, n) : DISTINCT_KEPT;
}

/* The same for all of a batch. */
static enum distinct_lost find_all(struct grouper *g, size_t first, size_t end)
{
    const enum distinct_lost lost = table_find_texts(
        &g->own, g->rows.key + first, end - first, g->id + first);
    g->seen += end - first;
    for (size_t i = first; !lost && g->own.layout->spec.is_first && i < end;
         i++)
        see_row(g, &g->own, (uint32_t)i);
    return lost;
}

static enum distinct_lost find_own(struct grouper *g)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t i = 0; i < g->rows.n && !lost; i += BATCH) {
        const size_t end = g->rows.n - i < BATCH ? g->rows.n : i + BATCH;
        const bool is_quick = !g->rows.selected && table_is_cached(&g->own);
        lost = is_quick ? find_all(g, i, end) : find_some(g, i, end);
    }
    return lost;
}

/* Whether there are too many keys for the worker's own table. */
static bool is_too_large(const struct grouper *g)
{
    const size_t bytes = g->own.n * g->own.layout->bytes;
    return bytes > OWN_BYTES || (g->own.n > g->seen - g->seen / 10 &&
                                 bytes > OWN_BYTES / KEYS_TO_COME);
}

bool grouper_begin(struct grouper *g, const struct grouper_rows *rows,
                   struct error *e)
{
    enum distinct_lost lost;
    if (!g->is_shared && is_too_large(g)) {
        g->is_shared = true;
        g->groups->has_many = true;
        if (!grouper_end(g, e))
            return false;
    }
    if (g->own.n > g->groups->own_keys)
        g->groups->own_keys = g->own.n;
    g->rows = *rows;
    if (!grouper_room(g, rows->n, e))
        return false;
    g->columns = 0;
    if (g->is_shared)
        return true;
    lost = find_own(g);
    return !lost || groups_refuse(g->groups, lost, e);
}

bool grouper_add(struct grouper *g, size_t number, const struct column *given,
                 struct error *e)
{
    struct column column = *given;
    const struct by_addend a = {&g->own, number, &column, g->id, g->rows.first};
    for (size_t i = 0; column.texts && i < column.n; i++)
        g->values[i] = column.texts[i].row;
    /* Texts have their rows in `texts`, and an empty column may have none. */
    if (column.texts || column.n == 0)
        column.rows = g->values;
    if (g->is_shared) {
        g->columns = number + 1;
        return kept_copy(&g->kept[number], &column, g->rows.n) ||
               error_memory(e);
    }
    enum distinct_lost lost = by_step(&a, &g->runs, NULL, column.n);
    lost = lost ? lost : by_step_others(&a, NULL, 0);
    return !lost || groups_refuse(g->groups, lost, e);
}

bool grouper_flush(struct grouper *g, struct error *e)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    if (g->is_shared && !grouper_queue(g, &lost))
        lost = grouper_share(g);
    return !lost || groups_refuse(g->groups, lost, e);
}
