/* SPDX-License-Identifier: MIT */
/* Ends a search by sorting its few keys in memory. */
#include <stdlib.h>

#include "reduce/search.h"

/* Copies all keys of a range to `to`, those of wide integers included. */
static size_t gather(const struct rank_search *s, uint64_t low, uint64_t high,
                     uint64_t *to)
{
    const size_t size = dtype_info(s->dtype)->size,
                 end = search_wides_end(s, high);
    size_t n = 0;
    for (const struct rank_piece *p = s->kept; p; p = p->next) {
        for (size_t i = 0; i < p->n; i++) {
            const uint64_t key = rank_piece_key(p, i, size);
            if (key - low <= high - low)
                to[n++] = key;
        }
    }
    for (size_t i = search_wides_below(s, low); i < end; i++)
        to[n++] = s->wides.at[i].key;
    return n;
}

/* Narrows the range of a target to its key, one of n sorted keys. */
static void pick(struct rank_target *t, const uint64_t *key, size_t n)
{
    const uint64_t at = t->rank - t->below, found = key[at];
    uint64_t first = at, end = at;
    while (first > 0 && key[first - 1] == found)
        first--;
    while (end < n && key[end] == found)
        end++;
    t->low = t->high = found;
    t->below += first;
    t->n = end - first;
}

bool search_sort(struct rank_search *s, struct error *e)
{
    uint64_t *key = malloc((s->kept_n + s->wides.n + 1) * sizeof *key);
    size_t n = 0;
    if (!key)
        return error_memory(e);
    uint64_t low = 1, high = 0;
    for (size_t i = 0; i < s->targets; i++) {
        struct rank_target *t = &s->target[i];
        if (t->low == t->high)
            continue;
        if (t->low != low || t->high != high) {
            low = t->low;
            high = t->high;
            n = gather(s, low, high, key);
            qsort(key, n, sizeof *key, rank_compare);
        }
        if (t->rank - t->below >= n) {
            free(key);
            return search_changed(e);
        }
        pick(t, key, n);
    }
    free(key);
    return true;
}
