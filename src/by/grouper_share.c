/* SPDX-License-Identifier: MIT */
/* Adds chunks to the run's tables, table by table. */
#include "by/grouper_parts.h"

/* Sorts the numbers of the n hashes by table into g->order and, if given, their
 * keys into g->sorted. Sets g->begin to where those of each table begin. Skips
 * rows that are not selected. */
static void sort_by_table(struct grouper *g, const uint8_t *selected,
                          const struct text_cell *key, size_t n)
{
    uint32_t at[GROUPS_TABLES] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        at[table_of(g->hash[i])] += !selected || selected[i];
    for (unsigned t = 0; t < GROUPS_TABLES; t++) {
        const uint32_t here = at[t];
        g->begin[t] = at[t] = sum;
        sum += here;
    }
    g->begin[GROUPS_TABLES] = sum;
    for (size_t i = 0; i < n; i++) {
        if (selected && !selected[i])
            continue;
        const uint32_t to = at[table_of(g->hash[i])]++;
        g->order[to] = (uint32_t)i;
        if (key)
            g->sorted[to] = key_seek_hashed(key[i], g->hash[i]);
    }
}

enum distinct_lost grouper_find(struct grouper *g, struct by_table *t,
                                const struct key_sought *key,
                                const uint32_t *row, size_t n)
{
    const enum distinct_lost lost = table_find(t, key, n, row, g->id);
    for (size_t i = 0; !lost && t->layout->spec.is_first && i < n; i++)
        see_row(g, t, row[i]);
    return lost;
}

enum distinct_lost grouper_for_tables(struct grouper *g, part_fn *call)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    uint8_t left[GROUPS_TABLES];
    size_t n = 0;
    for (unsigned i = 0; i < GROUPS_TABLES; i++) {
        left[n] = (uint8_t)((g->start + i) % GROUPS_TABLES);
        n += g->begin[left[n]] < g->begin[left[n] + 1];
    }
    while (n > 0 && !lost) {
        size_t busy = 0;
        for (size_t i = 0; i < n && !lost; i++) {
            struct groups_part *part = &g->groups->part[left[i]];
            const bool waits = i + 1 == n && busy == i;
            if (!waits && pthread_mutex_trylock(&part->lock) != 0) {
                left[busy++] = left[i];
                continue;
            }
            if (waits)
                pthread_mutex_lock(&part->lock);
            lost = call(g, &part->table, left[i]);
            pthread_mutex_unlock(&part->lock);
        }
        n = busy;
    }
    return lost;
}

static enum distinct_lost merge_part(struct grouper *g, struct by_table *table,
                                     unsigned number)
{
    const uint32_t from = g->begin[number], end = g->begin[number + 1];
    return table_merge(table, &g->own, g->order + from, end - from);
}

bool grouper_end(struct grouper *g, struct error *e)
{
    const size_t n = g->own.n;
    enum distinct_lost lost = grouper_queue_end(g);
    if (lost)
        return groups_refuse(g->groups, lost, e);
    if (n == 0)
        return true;
    if (!grouper_room(g, n, e))
        return false;
    for (size_t i = 0; i < n; i++)
        g->hash[i] = key_hash_kept(&table_head(&g->own, i)->key);
    sort_by_table(g, NULL, NULL, n);
    lost = grouper_for_tables(g, merge_part);
    table_close(&g->own);
    by_pool_empty(&g->pool);
    return !lost || groups_refuse(g->groups, lost, e);
}

/* Sets g->values to the numbers of the values of n rows of a table. A row
 * without a value has none. Returns how many there are. */
static size_t values_of(struct grouper *g, const uint32_t *value_of,
                        const uint32_t *row, size_t n)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        g->values[found] = value_of[row[i]];
        found += value_of[row[i]] != BY_NONE;
    }
    return found;
}

/* Finds the records of the rows that belong to a table, and adds all columns to
 * them. */
static enum distinct_lost add_part(struct grouper *g, struct by_table *table,
                                   unsigned number)
{
    const uint32_t *rows = g->order + g->begin[number];
    const size_t n = g->begin[number + 1] - g->begin[number];
    enum distinct_lost lost = grouper_find(
        g, table, g->sorted + g->begin[number], g->order + g->begin[number], n);
    for (size_t c = 0; c < g->columns && !lost; c++) {
        const struct kept_column *k = &g->kept[c];
        const struct by_addend a = {table, c, &k->column, g->id, g->rows.first};
        const size_t values =
            k->value_of ? values_of(g, k->value_of, rows, n) : n;
        lost = by_step(&a, &g->runs, k->value_of ? g->values : rows, values);
        lost = lost ? lost : by_step_others(&a, g->hash, number);
        if (!lost && a.table->layout->spec.in_order)
            lost = by_values_keep(&a, rows, k->value_of, n);
    }
    return lost;
}

enum distinct_lost grouper_share(struct grouper *g)
{
    const struct grouper_rows *rows = &g->rows;
    for (size_t i = 0; i < rows->n; i++)
        g->hash[i] = key_hash(rows->key[i]);
    sort_by_table(g, rows->selected, rows->key, rows->n);
    return grouper_for_tables(g, add_part);
}
