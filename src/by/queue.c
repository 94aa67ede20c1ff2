/* SPDX-License-Identifier: MIT */
/* Adds chunks to the run's tables by way of a queue. */
#include <string.h>

#include "base/memory.h"
#include "by/grouper_parts.h"

/* Where the rows that wait for a table begin. */
static char *begin_of(const struct by_queue *q, unsigned table)
{
    return q->memory + table * QUEUE_ROWS * q->stride;
}

static size_t bytes_of(const struct by_queue *q)
{
    return GROUPS_TABLES * QUEUE_ROWS * q->stride;
}

/* Makes it ready for columns of 8 bytes, unless it is. False: it would take
 * more than a small share of the limit of memory. */
static bool make_ready(struct by_queue *q, size_t columns)
{
    enum { SHARE = 64 };
    enum distinct_lost lost;
    if (q->memory)
        return true;
    q->columns = columns;
    q->stride = sizeof(struct queued) + columns * sizeof(uint64_t);
    if (bytes_of(q) > memory_limit() / SHARE)
        return false;
    q->memory = distinct_take(bytes_of(q), &lost);
    /* The tables are added to at different times, the first time and later. */
    for (unsigned t = 0; q->memory && t < GROUPS_TABLES; t++) {
        q->end[t] = begin_of(q, t);
        q->full[t] =
            q->end[t] + (t + 1) * QUEUE_ROWS / GROUPS_TABLES * q->stride;
    }
    return q->memory;
}

void queue_close(struct by_queue *q)
{
    distinct_give(q->memory, bytes_of(q));
    q->memory = NULL;
}

/* Adds all of them: some at a time, whose records stay in the first cache. */
static enum distinct_lost add_queued(struct grouper *g, struct by_table *table,
                                     unsigned number)
{
    struct by_queue *q = &g->queue;
    char *record[TABLE_BATCH], *const begin = begin_of(q, number);
    enum distinct_lost lost = DISTINCT_KEPT;
    size_t left = (size_t)(q->end[number] - begin) / q->stride, n = 0, next;
    for (const char *at = begin; left > 0 && !lost; left -= n, n = next) {
        next = left - n < TABLE_BATCH ? left - n : TABLE_BATCH;
        lost = table_find_records(table, at, q->stride, n, next, record);
        for (size_t c = 0; c < q->columns && !lost; c++)
            lost = by_step_queued(table, c, at, q->stride, n, record);
        at += n * q->stride;
    }
    q->end[number] = begin;
    q->full[number] = begin + (QUEUE_ROWS - QUEUE_ROWS / 4) * q->stride;
    return lost;
}

/* The same if no other worker has locked the table. If one has, lets some more
 * rows wait while there is room. */
static enum distinct_lost add_full(struct grouper *g, unsigned number)
{
    struct by_queue *q = &g->queue;
    struct groups_part *part = &g->groups->part[number];
    if (pthread_mutex_trylock(&part->lock) != 0) {
        const size_t left =
            (size_t)(begin_of(q, number + 1) - q->full[number]) / q->stride;
        if (left > 0) {
            q->full[number] += (left + 7) / 8 * q->stride;
            return DISTINCT_KEPT;
        }
        pthread_mutex_lock(&part->lock);
    }
    const enum distinct_lost lost = add_queued(g, &part->table, number);
    pthread_mutex_unlock(&part->lock);
    return lost;
}

/* Whether all of n keys are short. */
static bool are_short(const struct text_cell *key, size_t n)
{
    uint32_t bytes = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < n; i++)
        bytes = key[i].bytes > bytes ? key[i].bytes : bytes;
    return bytes <= KEY_SHORT;
}

/* Whether the order of the rows does not matter, and the chunk has nothing but
 * a value of 8 bytes in each column and row, and a short key. */
static bool is_plain(const struct grouper *g)
{
    const struct by_layout *l = &g->groups->layout;
    bool is_plain = !(l->monoids & ~MONOID_BIT(sum)) && !layout_keeps(l) &&
                    !l->spec.is_first && !g->rows.selected &&
                    dtype_size(l->dtype) == sizeof(uint64_t) &&
                    l->columns <= QUEUE_COLUMNS;
    for (size_t c = 0; is_plain && c < l->columns; c++) {
        const struct column *column = &g->kept[c].column;
        is_plain = column->n == g->rows.n && !column->rows && !column->texts;
    }
    return is_plain && are_short(g->rows.key, g->rows.n);
}

/* Appends rows from number `row` on, up to one that makes its table full.
 * Returns the number of the next row, and sets *full to that table. */
static inline __attribute__((always_inline)) size_t
append(struct grouper *g, size_t row, size_t columns, unsigned *full)
{
    struct by_queue *const q = &g->queue;
    const struct text_cell *const text = g->rows.key;
    const size_t n = g->rows.n;
    while (row < n) {
        struct key_sought key = {.bytes = text[row].bytes};
        key_words(text[row], key.word);
        const uint64_t hash = key_hash_words(key.word, key.bytes);
        key.tag = key_tag(hash);
        const unsigned t = table_of(hash);
        struct queued *to = (struct queued *)q->end[t];
        to->key = key;
        for (size_t c = 0; c < columns; c++)
            memcpy(&to->value[c], g->kept[c].values + row * sizeof *to->value,
                   sizeof *to->value);
        row++;
        q->end[t] = (char *)&to->value[columns];
        if (__builtin_expect(q->end[t] == q->full[t], 0)) {
            *full = t;
            return row;
        }
    }
    *full = GROUPS_TABLES;
    return n;
}

bool grouper_queue(struct grouper *g, enum distinct_lost *lost)
{
    unsigned full = GROUPS_TABLES;
    if (!is_plain(g) || !make_ready(&g->queue, g->columns))
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
        sum += g->queue.end[t] != begin_of(&g->queue, t);
    }
    g->begin[GROUPS_TABLES] = sum;
    lost = grouper_for_tables(g, add_queued);
    queue_close(&g->queue);
    return lost;
}
