/* SPDX-License-Identifier: MIT */
#include "reduce/distinct.h"

#include <stdlib.h>

#include "reduce/column.h"
#include "reduce/distinct_front.h"
#include "reduce/distinct_seen.h"
#include "reduce/hash.h"
#include "reduce/keys.h"

enum {
    /* The tables of a worker's groups take 2 MiB together, with counts, and
     * waiting keys 16 MiB. */
    SLOTS_ALL = 128 << 10,
    /* Integers of a window for each slot: those of all groups take 8 MiB. */
    SEEN_EACH = 512,
};

void distinct_init(struct distinct *d, bool has_counts)
{
    *d = (struct distinct){.has_counts = has_counts};
}

void distinct_close(struct distinct *d)
{
    for (int i = 0; d->wide && i < 2; i++)
        distinct_close(&d->wide[i]);
    free(d->wide);
    distinct_front_free(d->front);
    if (!d->total) {
        distinct_set_free(d->set);
        distinct_seen_free(d->seen);
    }
}

void distinct_join(struct distinct *d, struct distinct *total, size_t groups)
{
    size_t slots = SLOTS_ALL / (groups ? groups : 1);
    slots = slots < DISTINCT_SLOTS_MOST ? slots : DISTINCT_SLOTS_MOST;
    d->slots =
        (uint32_t)(slots > DISTINCT_SLOTS_LEAST ? slots : DISTINCT_SLOTS_LEAST);
    d->total = total;
}

static void lose(struct distinct *d, enum distinct_lost why)
{
    if (why != DISTINCT_KEPT)
        d->lost = (uint8_t)why;
}

static struct distinct_set *have_set(const struct distinct *d)
{
    return __atomic_load_n(&d->set, __ATOMIC_ACQUIRE);
}

static struct distinct *have_wide(const struct distinct *d)
{
    return __atomic_load_n(&d->wide, __ATOMIC_ACQUIRE);
}

int distinct_is_lost(const struct distinct *d)
{
    const struct distinct_set *set = have_set(d);
    const struct distinct *wide = have_wide(d);
    int lost = d->lost;
    for (int i = 0; wide && !lost && i < 2; i++)
        lost = distinct_is_lost(&wide[i]);
    return !lost && set ? (int)distinct_set_lost(set) : lost;
}

/* Returns the set of a state to which others may be joined, and makes it if
 * there is none. NULL: out of memory. */
static struct distinct_set *make_set(struct distinct *d,
                                     struct distinct_kind kind)
{
    struct distinct_set *have = have_set(d);
    if (have)
        return have;
    struct distinct_set *made = distinct_set_new(kind);
    if (!made ||
        __atomic_compare_exchange_n(&d->set, &have, made, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    distinct_set_free(made);
    return have;
}

/* Makes sure that the state has a set. False if it is lost. */
static bool open_set(struct distinct *d, struct distinct_kind kind)
{
    if (!d->lost && !have_set(d)) {
        if (d->total)
            d->set = make_set(d->total, kind);
        else
            make_set(d, kind);
        if (!d->set)
            lose(d, DISTINCT_NO_MEMORY);
    }
    return !d->lost;
}

/* The states of wide integers; NULL: out of memory. */
static struct distinct *wide_of(struct distinct *d)
{
    struct distinct *have = have_wide(d);
    if (have)
        return have;
    struct distinct *total = d->total ? wide_of(d->total) : NULL;
    struct distinct *made =
        d->total && !total ? NULL : malloc(2 * sizeof *made);
    for (int i = 0; made && i < 2; i++) {
        distinct_init(&made[i], d->has_counts);
        if (total)
            distinct_join(&made[i], &total[i], SLOTS_ALL / d->slots);
    }
    if (made &&
        !__atomic_compare_exchange_n(&d->wide, &have, made, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        free(made);
        made = have;
    }
    return made;
}

/* The worker's table, of a joined state; NULL: it has none. */
static struct distinct_front *front_of(struct distinct *d)
{
    if (d->total && !d->front)
        d->front = distinct_front_new(d->set, d->slots);
    return d->front;
}

/* Adds up to KEYS_BLOCK keys. */
static void add_keys(struct distinct *d, const struct distinct_keys *keys,
                     size_t n)
{
    struct distinct_front *f = front_of(d);
    lose(d, f ? distinct_front_add(f, keys, n)
              : distinct_set_add(d->set, keys, NULL, n));
}

static bool is_narrow(enum dtype dtype)
{
    return dtype_size(dtype) <= 4;
}

/* The destination of a column's keys. */
struct adding {
    struct distinct *d;
    enum dtype dtype; /* of the keys */
};

static void add_numbers(void *to, const uint64_t *key, const uint64_t *times,
                        size_t n)
{
    const struct adding *a = to;
    uint64_t hash[KEYS_BLOCK], room[KEYS_BLOCK];
    struct distinct *d = a->d;
    const struct distinct_keys keys = {hash, d->has_counts ? times : NULL, NULL,
                                       NULL};
    if (d->lost)
        return;
    if (d->front && distinct_front_is_passed(d->front) && !d->has_counts)
        n = distinct_seen_leave_out(&d->unseen, &d->total->seen,
                                    d->slots * SEEN_EACH, a->dtype, &key, n,
                                    room);
    if (is_narrow(a->dtype)) {
        for (size_t i = 0; i < n; i++)
            hash[i] = (uint64_t)hash_value_32((uint32_t)key[i]) << 32;
    } else {
        for (size_t i = 0; i < n; i++)
            hash[i] = hash_value(key[i]);
    }
    add_keys(d, &keys, n);
}

static void hash_texts(uint64_t *hash, const struct text_cell *cell, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash[i] = hash_text(cell[i].at, cell[i].bytes);
}

static void add_texts(struct distinct *d, const struct column *c)
{
    uint64_t block[KEYS_BLOCK], *hash;
    for (size_t i = 0, n; i < c->n && !d->lost; i += n) {
        const size_t left = c->n - i;
        struct distinct_front *f = front_of(d);
        hash = block;
        n = f ? distinct_front_passes(f, left, &hash) : 0;
        const bool passes = n > 0;
        if (!passes)
            n = left < KEYS_BLOCK ? left : KEYS_BLOCK;
        hash_texts(hash, c->texts + i, n);
        const struct distinct_keys keys = {.hash = hash, .cell = c->texts + i};
        if (passes)
            lose(d, distinct_set_add(d->set, &keys, NULL, n));
        else
            add_keys(d, &keys, n);
    }
}

static struct distinct_kind kind_of(const struct distinct *d,
                                    const struct column *c)
{
    return (struct distinct_kind){!c->texts &&
                                      is_narrow(dtype_info(c->dtype)->computed),
                                  c->texts, d->has_counts};
}

void distinct_add(struct distinct *d, const struct column *c)
{
    const struct distinct_kind kind = kind_of(d, c);
    struct adding adding = {d, dtype_info(c->dtype)->computed};
    if (!open_set(d, kind))
        return;
    if (c->texts)
        add_texts(d, c);
    else
        keys_of_column(c, add_numbers, &adding);
}

void distinct_put_numbers(struct distinct *d, enum dtype dtype,
                          const uint64_t *key, const uint64_t *count, size_t n)
{
    const struct distinct_kind kind = {is_narrow(dtype), false, d->has_counts};
    struct adding adding = {d, dtype};
    if (open_set(d, kind))
        add_numbers(&adding, key, count, n);
}

void distinct_put(struct distinct *d, enum dtype dtype,
                  const struct distinct_item *x)
{
    const bool is_negative = x->key >> 63;
    struct distinct *wide = x->wide ? wide_of(d) : NULL;
    const uint64_t magnitude = is_negative ? -x->wide : x->wide;
    if (x->wide && !wide) {
        lose(d, DISTINCT_NO_MEMORY);
        return;
    }
    if (!x->text) {
        distinct_put_numbers(wide ? &wide[is_negative] : d,
                             wide ? DTYPE_u64 : dtype,
                             wide ? &magnitude : &x->key, &x->count, 1);
        return;
    }
    if (!open_set(d, (struct distinct_kind){false, true, d->has_counts}))
        return;
    const uint64_t hash =
        hash_text(x->text + sizeof(uint32_t), distinct_text(x->text).bytes);
    add_keys(d,
             &(struct distinct_keys){&hash, d->has_counts ? &x->count : NULL,
                                     NULL, &x->text},
             1);
}

void distinct_add_wide(struct distinct *d, struct wide_integer x)
{
    const struct distinct_item item = {.key = x.negative ? 1ull << 63 : 0,
                                       .count = 1,
                                       .wide = x.negative ? -x.magnitude
                                                          : x.magnitude};
    distinct_put(d, DTYPE_f64, &item);
}

/* Adds the keys of a table, from a state that was not joined. */
static void add_table(struct distinct *d, const struct distinct_table *t)
{
    struct distinct_block block;
    const uint64_t zero = 0;
    size_t n;
    block.from = 0;
    while (!d->lost && (n = distinct_table_read(t, &block)) > 0)
        add_keys(d, &block.keys, n);
    block.keys = (struct distinct_keys){&zero, &t->zeros, NULL, NULL};
    if (t->has_zero && !d->lost)
        add_keys(d, &block.keys, 1);
}

void distinct_flush(struct distinct *d)
{
    for (int i = 0; d->wide && i < 2; i++)
        distinct_flush(&d->wide[i]);
    if (d->front)
        lose(d, distinct_front_flush(d->front));
}

void distinct_merge(struct distinct *into, const struct distinct *from)
{
    const struct distinct_table *t;
    struct distinct *wide = NULL;
    lose(into, (enum distinct_lost)distinct_is_lost(from));
    if (into->lost)
        return;
    if (from->wide && !(wide = wide_of(into))) {
        lose(into, DISTINCT_NO_MEMORY);
        return;
    }
    for (int i = 0; wide && i < 2; i++)
        distinct_merge(&wide[i], &from->wide[i]);
    distinct_count(into, from->counted, from->counted_nan);
    if (!from->set)
        return;
    if (from->total) {
        if (from->front)
            lose(into, distinct_front_flush(from->front));
        return;
    }
    const struct distinct_kind kind = distinct_set_kind(from->set);
    if (!open_set(into, kind))
        return;
    /* Only states that were not written by a run mix texts and numbers. */
    if (distinct_set_kind(into->set).has_texts != kind.has_texts) {
        lose(into, DISTINCT_NO_MEMORY);
        return;
    }
    for (size_t i = 0; (t = distinct_set_table(from->set, i)); i++)
        add_table(into, t);
}
