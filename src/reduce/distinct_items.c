/* SPDX-License-Identifier: MIT */
#include "reduce/distinct_items.h"

#include <stdlib.h>

#include "base/radix.h"
#include "reduce/distinct_set.h"
#include "reduce/hash.h"
#include "reduce/keys.h"
#include "reduce/ranks.h"

enum { HAS_TEXTS = 1, HAS_WIDE = 2 };

/* The bits of the greatest f64 that is not greater than a wide integer. */
static uint64_t key_of_wide(uint64_t magnitude, bool negative)
{
    return rank_bits(DTYPE_f64, ranks_wide_key((struct wide_integer){
                                    magnitude, 0, negative}));
}

/* sign: of wide integers; else 0. */
static struct distinct_item item_of(const struct distinct_table *t,
                                    uint64_t hash, uint64_t count, int sign)
{
    struct distinct_item x = {.count = t->kind.has_counts ? count : 1};
    if (t->text)
        return x;
    x.key = t->kind.is_narrow ? hash_undo_32((uint32_t)(hash >> 32))
                              : hash_undo(hash);
    if (sign) {
        x.wide = sign < 0 ? -x.key : x.key;
        x.key = key_of_wide(x.key, sign < 0);
    }
    return x;
}

/* Lists the values in *to, unless that is NULL; then adds up the bytes of texts
 * in *bytes. Returns how many values there are. */
static size_t list_set(const struct distinct_set *set, int sign,
                       struct distinct_item *to, size_t *bytes)
{
    const struct distinct_table *t;
    size_t n = 0;
    for (size_t i = 0; set && (t = distinct_set_table(set, i)); i++) {
        if (to && t->has_zero)
            to[n] = item_of(t, 0, t->zeros, sign);
        n += t->has_zero;
        for (size_t slot = 0; slot < t->room; slot++) {
            const uint64_t hash = distinct_table_hash(t, slot);
            if (to && hash != 0) {
                to[n] = item_of(t, hash, t->count ? t->count[slot] : 1, sign);
                to[n].text = t->text ? t->text[slot] : NULL;
            } else if (hash != 0 && t->text)
                *bytes += 4 + (size_t)distinct_text(t->text[slot]).bytes;
            n += hash != 0;
        }
    }
    return n;
}

static size_t list_all(const struct distinct *d, struct distinct_item *to,
                       size_t *bytes)
{
    size_t n = list_set(d->set, 0, to, bytes);
    for (int i = 0; d->wide && i < 2; i++)
        n += list_set(d->wide[i].set, i ? -1 : 1, to ? to + n : NULL, bytes);
    return n;
}

bool distinct_items(const struct distinct *d, struct distinct_item **list,
                    size_t *n)
{
    size_t bytes = 0;
    *n = list_all(d, NULL, &bytes);
    if (d->counted || !(*list = malloc((*n + 1) * sizeof **list)))
        return false;
    list_all(d, *list, &bytes);
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct distinct_item *x = a, *y = b;
    if (!x->text || !y->text)
        return x->key != y->key ? (x->key < y->key ? -1 : 1)
                                : (x->wide > y->wide) - (x->wide < y->wide);
    const struct text_cell s = distinct_text(x->text),
                           t = distinct_text(y->text);
    const int order = memcmp(s.at, t.at, s.bytes < t.bytes ? s.bytes : t.bytes);
    return order ? order : (s.bytes > t.bytes) - (s.bytes < t.bytes);
}

void distinct_items_sort(struct distinct_item *list, size_t n)
{
    enum { LEAST = 256 };
    bool by_key = n >= LEAST;
    for (size_t i = 0; by_key && i < n; i++)
        by_key = !list[i].text && !list[i].wide;
    /* Half an item: all that a number has. */
    struct number {
        uint64_t key, count;
    } *const x = by_key ? malloc(2 * n * sizeof *x) : NULL;
    for (size_t i = 0; x && i < n; i++)
        x[i] = (struct number){list[i].key, list[i].count};
    if (x)
        radix_sort(x, x + n, n, sizeof *x, 0);
    else
        qsort(list, n, sizeof *list, compare);
    for (size_t i = 0; x && i < n; i++)
        list[i] = (struct distinct_item){.key = x[i].key, .count = x[i].count};
    free(x);
}

static size_t written_bytes(const struct distinct *d)
{
    size_t bytes = 0;
    const size_t n = list_all(d, NULL, &bytes),
                 words = (bytes == 0) + (d->wide != NULL) + d->has_counts;
    return 1 + sizeof(uint64_t) + bytes + n * words * sizeof(uint64_t);
}

static uint8_t *put(uint8_t *to, const void *from, size_t bytes)
{
    return (uint8_t *)memcpy(to, from, bytes) + bytes;
}

size_t distinct_write(const struct distinct *d, uint8_t *const to)
{
    struct distinct_item *list;
    size_t n;
    if (!to)
        return d->counted ? 0 : written_bytes(d);
    if (!distinct_items(d, &list, &n))
        return 0;
    distinct_items_sort(list, n);
    const uint64_t values = n;
    const uint8_t flags =
        (n > 0 && list[0].text ? HAS_TEXTS : 0) | (d->wide ? HAS_WIDE : 0);
    uint8_t *at = put(put(to, &flags, 1), &values, sizeof values);
    for (size_t i = 0; i < n; i++) {
        const struct distinct_item *x = &list[i];
        if (x->text)
            at = put(at, x->text, 4 + (size_t)distinct_text(x->text).bytes);
        else
            at = put(at, &x->key, sizeof x->key);
        if (flags & HAS_WIDE)
            at = put(at, &x->wide, sizeof x->wide);
        if (d->has_counts)
            at = put(at, &x->count, sizeof x->count);
    }
    free(list);
    return (size_t)(at - to);
}

/* Takes bytes off. NULL: there are fewer. */
static const uint8_t *take(const uint8_t **at, size_t *left, size_t bytes)
{
    const uint8_t *from = *at;
    if (bytes > *left)
        return NULL;
    *at += bytes;
    *left -= bytes;
    return from;
}

static bool get(const uint8_t **at, size_t *left, uint64_t *x)
{
    const uint8_t *from = take(at, left, sizeof *x);
    if (from)
        memcpy(x, from, sizeof *x);
    return from;
}

static bool get_item(struct distinct_item *x, unsigned flags, bool has_counts,
                     const uint8_t **at, size_t *left)
{
    uint32_t bytes;
    if (flags & HAS_TEXTS) {
        if (*left < sizeof bytes)
            return false;
        memcpy(&bytes, *at, sizeof bytes);
        x->text = (const char *)take(at, left, sizeof bytes + (size_t)bytes);
        if (!x->text)
            return false;
    } else if (!get(at, left, &x->key)) {
        return false;
    }
    return (!(flags & HAS_WIDE) || get(at, left, &x->wide)) &&
           (!has_counts ||
            (get(at, left, &x->count) && x->count - 1 < 1ull << 62));
}

/* Numbers that are added together, so that the loads of many slots are under
 * way at a time. */
struct numbers {
    size_t n;
    uint64_t key[KEYS_BLOCK], count[KEYS_BLOCK];
};

static void add_numbers(struct distinct *d, enum dtype dtype, struct numbers *x)
{
    if (x->n > 0)
        distinct_put_numbers(d, dtype, x->key, x->count, x->n);
    x->n = 0;
}

static void add_item(struct distinct *d, enum dtype dtype,
                     const struct distinct_item *item, struct numbers *x)
{
    if (item->text || item->wide) {
        distinct_put(d, dtype, item);
        return;
    }
    x->key[x->n] = item->key;
    x->count[x->n] = item->count;
    if (++x->n == KEYS_BLOCK)
        add_numbers(d, dtype, x);
}

/* Whether the key of a wide integer is its own. Otherwise one integer could
 * come with several keys, and its counts add up to more than a reader takes. */
static bool is_own_key(const struct distinct_item *x)
{
    const bool negative = x->key >> 63;
    return x->wide == 0 ||
           x->key == key_of_wide(negative ? -x->wide : x->wide, negative);
}

bool distinct_read(struct distinct *d, enum dtype dtype, const uint8_t *from,
                   size_t left)
{
    const enum dtype computed = dtype_info(dtype)->computed;
    const uint8_t *flags = take(&from, &left, 1);
    struct distinct_item x = {.count = 1}, before = x;
    struct numbers numbers;
    uint64_t n;
    if (!flags || *flags > HAS_WIDE || !get(&from, &left, &n) ||
        (*flags & HAS_WIDE && computed != DTYPE_f64))
        return false;
    numbers.n = 0;
    for (uint64_t i = 0; i < n && !distinct_is_lost(d); i++, before = x) {
        if (!get_item(&x, *flags, d->has_counts, &from, &left) ||
            !keys_has(computed, x.key) || !is_own_key(&x) ||
            (i > 0 && compare(&before, &x) >= 0))
            return false;
        add_item(d, computed, &x, &numbers);
    }
    add_numbers(d, computed, &numbers);
    return left == 0 || distinct_is_lost(d);
}
