/* SPDX-License-Identifier: MIT */
#include "by/groups.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/share.h"

/* The bytes of all tables; distinct_take maps so many. Where each of many files
 * has groups, tables in the heap would leave gaps, since groups_trim frees most
 * of them but not what lies between. */
enum { TABLES_BYTES = 64 << 10 };
_Static_assert(GROUPS_TABLES * sizeof(struct groups_part) <= TABLES_BYTES, "");

bool groups_refuse(const struct groups *g, enum distinct_lost lost,
                   struct error *e)
{
    struct error why;
    if (lost == DISTINCT_LIMIT) {
        memory_refuse(&why, g && layout_keeps(&g->layout)
                                ? "keeping the values of each key"
                                : "grouping by so many keys");
        return error_set(e, why.kind,
                         "%.1000s\n"
                         "Reduce a part of the data at a time, by --where, or "
                         "fewer columns.",
                         why.text);
    }
    if (lost == DISTINCT_WIDE)
        return error_set(e, ERROR_DATA,
                         "quantiles, distinct values, cov, corr and --reduce "
                         "by key are not available of integers beyond 2^53; "
                         "without computed columns, say -t i64, or -t u64");
    return error_memory(e);
}

/* Shared by the threads that sort tables. */
struct sorting {
    struct groups *groups;
    _Atomic int lost;
};

static void sort_some(void *sorting, size_t first, size_t end)
{
    struct sorting *s = sorting;
    for (size_t i = first; i < end && !s->lost; i++) {
        struct by_table *t = &s->groups->part[i].table;
        enum distinct_lost lost = by_values_sort(t);
        lost = lost ? lost : by_texts_count(t);
        lost = lost ? lost : by_values_order(t);
        if (lost)
            s->lost = (int)lost;
    }
}

bool groups_sort(struct groups *g, unsigned threads, struct error *e)
{
    struct sorting s = {.groups = g};
    if (!layout_keeps(&g->layout))
        return true;
    share_out(threads, GROUPS_TABLES, sort_some, &s);
    return !s.lost || groups_refuse(g, (enum distinct_lost)s.lost, e);
}

struct groups *groups_new(const struct by_spec *spec, enum dtype dtype,
                          size_t columns, unsigned set, struct error *e)
{
    struct groups *g = malloc(sizeof *g);
    if (!g) {
        error_memory(e);
        return NULL;
    }
    enum distinct_lost lost = DISTINCT_NO_MEMORY;
    *g = (struct groups){.part = distinct_take(TABLES_BYTES, &lost)};
    bool ok = layout_make(&g->layout, spec, dtype, columns, set) && g->part;
    for (unsigned i = 0; i < GROUPS_POOLS; i++)
        ok = by_pool_open(&g->pool[i]) && ok;
    g->tables = g->part ? GROUPS_TABLES : 0;
    for (unsigned i = 0; i < g->tables; i++) {
        g->part[i].table = (struct by_table){
            .layout = &g->layout, .pool = &g->pool[i % GROUPS_POOLS]};
        ok = ok && pthread_mutex_init(&g->part[i].lock, NULL) == 0;
        g->locks += ok;
    }
    if (ok)
        return g;
    groups_free(g);
    groups_refuse(NULL, lost, e);
    return NULL;
}

static void close_locks(struct groups *g)
{
    while (g->locks > 0)
        pthread_mutex_destroy(&g->part[--g->locks].lock);
}

static void free_tables(struct groups *g)
{
    if (g->tables == GROUPS_TABLES)
        distinct_give(g->part, TABLES_BYTES);
    else
        free(g->part);
}

void groups_free(struct groups *g)
{
    if (!g)
        return;
    for (unsigned i = 0; i < g->tables; i++)
        table_close(&g->part[i].table);
    close_locks(g);
    free_tables(g);
    for (unsigned i = 0; i < GROUPS_POOLS; i++)
        by_pool_close(&g->pool[i]);
    layout_free(&g->layout);
    free(g);
}

bool groups_trim(struct groups *g, uint16_t to[GROUPS_TABLES])
{
    uint16_t used = 0;
    for (unsigned i = 0; i < g->tables; i++) {
        to[i] = used;
        used += g->part[i].table.n > 0;
    }
    if (used == 0 || used == g->tables)
        return false;
    struct groups_part *part = aligned_alloc(64, used * sizeof *part);
    if (!part)
        return false;
    for (unsigned i = 0; i < g->tables; i++) {
        if (g->part[i].table.n > 0)
            part[to[i]].table = g->part[i].table;
        else
            table_close(&g->part[i].table);
    }
    close_locks(g);
    free_tables(g);
    g->part = part;
    g->tables = used;
    return true;
}

bool groups_finish(struct groups *g,
                   uint64_t (*map)(const void *context, uint64_t position),
                   const void *context, struct error *e)
{
    for (unsigned i = 0; i < GROUPS_TABLES; i++) {
        if (!table_check(&g->part[i].table, e))
            return false;
        if (map)
            table_map(&g->part[i].table, map, context);
    }
    return true;
}

size_t groups_keys(struct groups *g)
{
    size_t n = 0;
    for (unsigned i = 0; i < GROUPS_TABLES; i++) {
        pthread_mutex_lock(&g->part[i].lock);
        n += g->part[i].table.n;
        pthread_mutex_unlock(&g->part[i].lock);
    }
    return n;
}
