/* SPDX-License-Identifier: MIT */
/* Groups the rows of one worker. */
#include <stdlib.h>

#include "by/groups.h"
#include "by/kept.h"

enum {
    /* A worker gives up its own table when its records have more bytes than
     * this: with its slots the table then exceeds a core's own cache. The
     * tables of sixteen workers take 64 MiB. */
    OWN_BYTES = 4 << 20,
    /* It gives it up at OWN_BYTES / KEYS_TO_COME if there are almost as many
     * keys as rows so far: if nine of ten rows have a key of their own, the
     * data have about five times as many keys. */
    KEYS_TO_COME = 5,
    /* Rows whose keys are looked up together. */
    BATCH = 256,
};

struct grouper {
    struct groups *groups;
    struct by_table own;
    struct by_pool pool; /* of `own` */
    bool is_shared;      /* own is empty: rows go to the run's tables */
    unsigned start;      /* the number of the run's table to try first */
    struct by_runs runs;
    struct grouper_rows rows; /* of the current chunk */
    size_t seen;              /* rows that were looked up in `own` */
    uint64_t *hash;           /* [room], by row; in grouper_end by record */
    uint32_t *id;             /* [room], by row: the row's record */
    size_t room;
    /* [room] each: row numbers, sorted by table; and numbers of the values of a
     * table's rows, or the rows of a column's values. */
    uint32_t *order, *values;
    struct key_sought *sorted; /* [room]: the keys of the rows in `order` */
    uint32_t begin[GROUPS_TABLES + 1]; /* where each table's rows begin there */
    /* If is_shared: the columns of the chunk, until grouper_flush. */
    struct kept_column *kept; /* [layout.columns] */
    size_t columns;           /* how many are kept */
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

static bool have_room(struct grouper *g, size_t n, struct error *e)
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
            g->sorted[to] = key_seek_hashed(key[i], (uint32_t)i, g->hash[i]);
    }
}

/* If the layout asks for it, updates the first row of a row's record. */
static inline void see_row(struct grouper *g, struct by_table *t, uint32_t row)
{
    uint64_t *first = layout_first(table_record(t, g->id[row]));
    const uint64_t here = g->rows.first + row;
    *first = here < *first ? here : *first;
}

/* Finds the records of keys in one table. */
static enum distinct_lost find_in(struct grouper *g, struct by_table *t,
                                  const struct key_sought *key, size_t n)
{
    const enum distinct_lost lost = table_find(t, key, n, g->id);
    for (size_t i = 0; !lost && t->layout->spec.is_first && i < n; i++)
        see_row(g, t, key[i].row);
    return lost;
}

typedef enum distinct_lost part_fn(struct grouper *g, struct by_table *table,
                                   unsigned number);

/* Calls a function for each of the run's tables that gets rows, with its lock
 * held. Postpones tables that another worker has locked. */
static enum distinct_lost for_tables(struct grouper *g, part_fn *call)
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
    enum distinct_lost lost = DISTINCT_KEPT;
    const size_t n = g->own.n;
    if (n == 0)
        return true;
    if (!have_room(g, n, e))
        return false;
    for (size_t i = 0; i < n; i++)
        g->hash[i] = key_hash_kept(&table_head(&g->own, i)->key);
    sort_by_table(g, NULL, NULL, n);
    lost = for_tables(g, merge_part);
    table_close(&g->own);
    by_pool_empty(&g->pool);
    return !lost || groups_refuse(g->groups, lost, e);
}

/* Finds the selected ones of a batch of rows in the worker's own table. */
static enum distinct_lost find_some(struct grouper *g, size_t first, size_t end)
{
    const struct grouper_rows *rows = &g->rows;
    struct key_sought key[BATCH];
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        key[n] = key_seek(rows->key[i], (uint32_t)i);
        n += !rows->selected || rows->selected[i];
    }
    g->seen += n;
    return n > 0 ? find_in(g, &g->own, key, n) : DISTINCT_KEPT;
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
    g->rows = *rows;
    if (!have_room(g, rows->n, e))
        return false;
    g->columns = 0;
    if (g->is_shared) {
        for (size_t i = 0; i < rows->n; i++)
            g->hash[i] = key_hash(rows->key[i]);
        sort_by_table(g, rows->selected, rows->key, rows->n);
        return true;
    }
    lost = find_own(g);
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
    enum distinct_lost lost =
        find_in(g, table, g->sorted + g->begin[number], n);
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
    if (g->is_shared)
        lost = for_tables(g, add_part);
    return !lost || groups_refuse(g->groups, lost, e);
}
