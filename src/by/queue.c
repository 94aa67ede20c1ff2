/* SPDX-License-Identifier: MIT */
/* Adds chunks to the run's tables by way of a queue. */
#include <string.h>

#include "base/memory.h"
#include "by/grouper_parts.h"

enum { ROWS = GROUPS_TABLES * QUEUE_ROWS };

bool queue_open(struct by_queue *q, size_t columns)
{
    enum { SHARE = 64 };
    enum distinct_lost lost;
    if (q->memory)
        return true;
    q->columns = columns;
    q->bytes = ROWS * (sizeof *q->key + columns * sizeof *q->value);
    if (q->bytes > memory_limit() / SHARE)
        return false;
    q->memory = distinct_take(q->bytes, &lost);
    q->key = (struct key_sought *)q->memory;
    q->value = (uint64_t *)(q->key + ROWS);
    /* The tables are added to at different times, the first time and later. */
    for (unsigned t = 0; t < GROUPS_TABLES; t++)
        q->full[t] = (t + 1) * QUEUE_ROWS / GROUPS_TABLES;
    return q->memory;
}

void queue_close(struct by_queue *q)
{
    distinct_give(q->memory, q->bytes);
    q->memory = NULL;
}

/* Adds n of the rows that wait for a table, from number `first` on. */
static enum distinct_lost add_some(struct grouper *g, struct by_table *table,
                                   size_t first, size_t n)
{
    const struct by_queue *q = &g->queue;
    uint32_t id[BATCH];
    enum distinct_lost lost = table_find(table, q->key + first, n, id);
    for (size_t c = 0; c < q->columns && !lost; c++) {
        const struct column column = {.dtype = table->layout->dtype,
                                      .n = n,
                                      .values = q->value + c * ROWS + first};
        const struct by_addend a = {table, c, &column, id, 0};
        lost = by_step(&a, &g->runs, NULL, n);
    }
    return lost;
}

/* Adds all of them: some at a time, whose records stay in the first cache. */
static enum distinct_lost add_queued(struct grouper *g, struct by_table *table,
                                     unsigned number)
{
    struct by_queue *q = &g->queue;
    const size_t n = q->n[number];
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t i = 0; i < n && !lost; i += BATCH)
        lost = add_some(g, table, number * QUEUE_ROWS + i,
                        n - i < BATCH ? n - i : BATCH);
    q->n[number] = 0;
    q->full[number] = QUEUE_ROWS - QUEUE_ROWS / 4;
    return lost;
}

/* The same if no other worker has locked the table. If one has, lets some more
 * rows wait while there is room. */
static enum distinct_lost add_full(struct grouper *g, unsigned number)
{
    struct by_queue *q = &g->queue;
    struct groups_part *part = &g->groups->part[number];
    if (pthread_mutex_trylock(&part->lock) != 0) {
        if (q->full[number] < QUEUE_ROWS) {
            q->full[number] += (QUEUE_ROWS - q->full[number] + 7) / 8;
            return DISTINCT_KEPT;
        }
        pthread_mutex_lock(&part->lock);
    }
    const enum distinct_lost lost = add_queued(g, &part->table, number);
    pthread_mutex_unlock(&part->lock);
    return lost;
}

/* Whether the order of the rows does not matter, and the chunk has nothing but
 * a value of 8 bytes in each column and row, and a short key. */
static bool is_plain(const struct grouper *g)
{
    const struct by_layout *l = &g->groups->layout;
    bool is_plain = !(l->monoids & ~MONOID_BIT(sum)) && !layout_keeps(l) &&
                    !l->spec.is_first && !l->ends && !g->rows.selected &&
                    dtype_size(l->dtype) == sizeof(uint64_t) &&
                    l->columns <= QUEUE_COLUMNS;
    for (size_t c = 0; is_plain && c < l->columns; c++) {
        const struct column *column = &g->kept[c].column;
        is_plain = column->n == g->rows.n && !column->rows && !column->texts &&
                   column->wides == 0;
    }
    uint32_t bytes = 0;
    for (size_t i = 0; is_plain && i < g->rows.n; i++)
        bytes = g->rows.key[i].bytes > bytes ? g->rows.key[i].bytes : bytes;
    return is_plain && bytes <= KEY_SHORT;
}

/* Appends rows from number `row` on, up to one that makes its table full.
 * Returns the number of the next row, and sets *full to that table. */
static inline __attribute__((always_inline)) size_t
append(struct grouper *g, size_t row, size_t columns, unsigned *full)
{
    struct by_queue *const q = &g->queue;
    struct key_sought *const keys = q->key;
    uint64_t *const values = q->value;
    const struct text_cell *const text = g->rows.key;
    const size_t n = g->rows.n;
    for (; row < n; row++) {
        struct key_sought key = {.bytes = text[row].bytes};
        key_words(text[row], key.word);
        key.hash = key_hash_words(key.word, key.bytes);
        const unsigned t = table_of(key.hash);
        const uint32_t at = q->n[t];
        const size_t to = t * QUEUE_ROWS + at;
        key.row = at % BATCH;
        keys[to] = key;
        for (size_t c = 0; c < columns; c++)
            memcpy(&values[c * ROWS + to],
                   g->kept[c].values + row * sizeof *values, sizeof *values);
        q->n[t] = at + 1;
        if (__builtin_expect(at + 1 == q->full[t], 0)) {
            *full = t;
            return row + 1;
        }
    }
    *full = GROUPS_TABLES;
    return n;
}

bool grouper_queue(struct grouper *g, enum distinct_lost *lost)
{
    unsigned full = GROUPS_TABLES;
    if (!is_plain(g) || !queue_open(&g->queue, g->columns))
        return false;
    for (size_t row = 0; row < g->rows.n && !*lost;) {
        row = g->columns == 1 ? append(g, row, 1, &full)
                              : append(g, row, g->columns, &full);
        if (full < GROUPS_TABLES)
            *lost = add_full(g, full);
    }
    return true;
}

enum distinct_lost grouper_queue_end(struct grouper *g)
{
    enum distinct_lost lost;
    uint32_t sum = 0;
    if (!g->queue.memory)
        return DISTINCT_KEPT;
    for (unsigned t = 0; t < GROUPS_TABLES; t++) {
        g->begin[t] = sum;
        sum += g->queue.n[t];
    }
    g->begin[GROUPS_TABLES] = sum;
    lost = grouper_for_tables(g, add_queued);
    queue_close(&g->queue);
    return lost;
}
