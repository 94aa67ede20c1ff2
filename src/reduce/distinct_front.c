/* SPDX-License-Identifier: MIT */
#include "reduce/distinct_front.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* Keys that bypass the table before it is tried again. */
    STRAIGHT = 64 * DISTINCT_SLOTS_MOST,
    /* Waiting keys for each slot. A part of a set then has 512 of them, so most
     * of its pages are looked up only once: 2^24 new f32 took 1.3 s, with 64
     * keys a part 1.8 s. */
    WAITING = 8,
    /* The first keys that bypass the table do not wait, since each of millions
     * of columns may have a few. */
    PASSED_LEAST = 512,
};

struct distinct_front {
    struct distinct_set *set;
    uint32_t slots; /* most slots of the table */
    struct distinct_table table;
    uint64_t seen;     /* keys since the table was empty */
    uint64_t straight; /* further keys that bypass the table */
    /* [2][waiting_room], owned; or NULL: hashes of numbers that wait, each
     * counted once, and room for sorting them. Texts do not wait. */
    uint64_t *waiting;
    size_t n_waiting;
};

/* The number of keys that may wait. */
static size_t waiting_room(const struct distinct_front *f)
{
    return (size_t)f->slots * WAITING;
}

static size_t waiting_bytes(const struct distinct_front *f)
{
    return 2 * waiting_room(f) * sizeof *f->waiting;
}

struct distinct_front *distinct_front_new(struct distinct_set *set,
                                          uint32_t slots)
{
    struct distinct_kind kind = distinct_set_kind(set);
    struct distinct_front *f = malloc(sizeof *f);
    if (!f)
        return NULL;
    kind.is_narrow = false;
    *f = (struct distinct_front){
        .set = set, .slots = slots, .table = distinct_table_empty(kind, 0)};
    return f;
}

void distinct_front_free(struct distinct_front *f)
{
    if (!f)
        return;
    distinct_table_close(&f->table);
    distinct_give(f->waiting, waiting_bytes(f));
    free(f);
}

static enum distinct_lost add_waiting(struct distinct_front *f)
{
    const size_t n = f->n_waiting;
    f->n_waiting = 0;
    return distinct_set_add_many(f->set, f->waiting,
                                 f->waiting + waiting_room(f), n);
}

static enum distinct_lost flush_table(struct distinct_front *f)
{
    const struct distinct_keys keys = {f->table.hash, f->table.count, NULL,
                                       f->table.text};
    const uint64_t zero = 0;
    const struct distinct_keys zeros = {&zero, &f->table.zeros, NULL, NULL};
    uint16_t which[DISTINCT_SLOTS_MOST];
    size_t n = 0;
    for (size_t i = 0; i < f->table.room; i++) {
        which[n] = (uint16_t)i;
        n += keys.hash[i] != 0;
    }
    enum distinct_lost lost = distinct_set_add(f->set, &keys, which, n);
    if (f->table.has_zero && !lost)
        lost = distinct_set_add(f->set, &zeros, NULL, 1);
    f->straight = f->seen < 2 * n ? STRAIGHT : 0;
    f->seen = 0;
    distinct_table_clear(&f->table);
    return lost;
}

enum distinct_lost distinct_front_flush(struct distinct_front *f)
{
    enum distinct_lost lost = f->n_waiting > 0 ? add_waiting(f) : DISTINCT_KEPT;
    return lost || distinct_table_n(&f->table) == 0 ? lost : flush_table(f);
}

/* Makes room for waiting keys. Without memory, keys do not wait. */
static bool have_waiting(struct distinct_front *f)
{
    enum distinct_lost lost;
    if (!f->waiting && STRAIGHT - f->straight >= PASSED_LEAST)
        f->waiting = distinct_take(waiting_bytes(f), &lost);
    return f->waiting;
}

static enum distinct_lost add_straight(struct distinct_front *f,
                                       const struct distinct_keys *keys,
                                       size_t n)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    f->straight -= f->straight < n ? f->straight : n;
    if (keys->count || keys->cell || keys->text || !have_waiting(f))
        return distinct_set_add(f->set, keys, NULL, n);
    if (f->n_waiting + n > waiting_room(f))
        lost = add_waiting(f);
    memcpy(f->waiting + f->n_waiting, keys->hash, n * sizeof *keys->hash);
    f->n_waiting += n;
    return lost;
}

/* Whether a table of so many slots has room for so many keys. */
static bool has_room(const struct distinct_front *f, size_t keys)
{
    return keys / 3 * 4 + 4 <= f->slots;
}

/* Adds keys, at most half as many as the table has slots. */
static enum distinct_lost add_piece(struct distinct_front *f,
                                    const struct distinct_keys *keys, size_t n)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    if (f->straight == 0 && !has_room(f, f->table.n + n))
        lost = flush_table(f);
    if (lost)
        return lost;
    if (f->straight > 0)
        return add_straight(f, keys, n);
    if (distinct_table_reserve(&f->table, n))
        return distinct_set_add(f->set, keys, NULL, n);
    f->seen += n;
    return distinct_table_add(&f->table, keys, NULL, n);
}

enum distinct_lost distinct_front_add(struct distinct_front *f,
                                      const struct distinct_keys *keys,
                                      size_t n)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t i = 0, step; i < n && !lost; i += step) {
        const struct distinct_keys piece = {
            keys->hash + i, keys->count ? keys->count + i : NULL,
            keys->cell ? keys->cell + i : NULL,
            keys->text ? keys->text + i : NULL};
        step = n - i < f->slots / 2 ? n - i : f->slots / 2;
        lost = add_piece(f, &piece, step);
    }
    return lost;
}

bool distinct_front_is_passed(const struct distinct_front *f)
{
    return f->straight > 0 && f->waiting;
}

size_t distinct_front_passes(struct distinct_front *f, size_t n,
                             uint64_t **hash)
{
    if (f->straight == 0 || !have_waiting(f))
        return 0;
    n = n < f->slots ? n : f->slots;
    f->straight -= f->straight < n ? f->straight : n;
    *hash = f->waiting;
    return n;
}
