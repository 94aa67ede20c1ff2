/* SPDX-License-Identifier: MIT */
#include "reduce/distinct_set.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    /* With so many locks, sixteen workers rarely wait for each other. */
    PART_BITS = 8,
    PARTS = 1 << PART_BITS,
    /* Fewest keys for which the set is cut into parts. The slots of fewer keys
     * take less memory than the parts themselves. */
    FEW_MOST = 8 << 10,
};

struct distinct_part {
    _Alignas(64) pthread_mutex_t lock;
    struct distinct_table table;
};

struct distinct_set {
    struct distinct_kind kind;
    enum distinct_lost lost; /* atomic */
    struct distinct_part few;
    /* [PARTS], or NULL. Atomic: set once, under few.lock; few is empty from
     * then on. */
    struct distinct_part *part;
};

static struct distinct_part *parts_of(const struct distinct_set *s)
{
    return __atomic_load_n(&s->part, __ATOMIC_ACQUIRE);
}

enum distinct_lost distinct_set_lost(const struct distinct_set *s)
{
    return __atomic_load_n(&s->lost, __ATOMIC_RELAXED);
}

static enum distinct_lost lose(struct distinct_set *s, enum distinct_lost why)
{
    if (why != DISTINCT_KEPT)
        __atomic_store_n(&s->lost, why, __ATOMIC_RELAXED);
    return why;
}

static bool open_part(struct distinct_part *p, struct distinct_kind kind,
                      unsigned skip)
{
    p->table = distinct_table_empty(kind, skip);
    return pthread_mutex_init(&p->lock, NULL) == 0;
}

static void close_part(struct distinct_part *p)
{
    distinct_table_close(&p->table);
    pthread_mutex_destroy(&p->lock);
}

struct distinct_set *distinct_set_new(struct distinct_kind kind)
{
    struct distinct_set *s = aligned_alloc(64, sizeof *s);
    if (!s)
        return NULL;
    s->kind = kind;
    s->lost = DISTINCT_KEPT;
    s->part = NULL;
    if (open_part(&s->few, kind, 0))
        return s;
    free(s);
    return NULL;
}

static void free_parts(struct distinct_part *part, size_t n)
{
    while (n > 0)
        close_part(&part[--n]);
    free(part);
    memory_give(PARTS * sizeof *part);
}

void distinct_set_free(struct distinct_set *s)
{
    if (!s)
        return;
    if (s->part)
        free_parts(s->part, PARTS);
    close_part(&s->few);
    free(s);
}

static struct distinct_part *new_parts(struct distinct_kind kind,
                                       enum distinct_lost *lost)
{
    const size_t bytes = PARTS * sizeof(struct distinct_part);
    size_t n = 0;
    *lost = DISTINCT_LIMIT;
    if (!memory_take(bytes))
        return NULL;
    *lost = DISTINCT_NO_MEMORY;
    struct distinct_part *part = aligned_alloc(64, bytes);
    while (part && n < PARTS && open_part(&part[n], kind, PART_BITS))
        n++;
    if (n == PARTS)
        return part;
    if (part)
        free_parts(part, n);
    else
        memory_give(bytes);
    return NULL;
}

static enum distinct_lost add_to(struct distinct_part *p,
                                 const struct distinct_keys *keys,
                                 const uint16_t *which, size_t n)
{
    enum distinct_lost lost = distinct_table_reserve(&p->table, n);
    return lost ? lost : distinct_table_add(&p->table, keys, which, n);
}

static inline size_t part_of(uint64_t hash)
{
    return hash >> (64 - PART_BITS);
}

/* Counts the keys of each part, and sets the index of its first. */
static void find_firsts(uint32_t first[PARTS], const uint64_t *hash,
                        const uint16_t *which, size_t n)
{
    memset(first, 0, PARTS * sizeof *first);
    for (size_t k = 0; k < n; k++)
        first[part_of(hash[which ? which[k] : k])]++;
    for (size_t p = 0, sum = 0; p < PARTS; p++) {
        const uint32_t here = first[p];
        first[p] = (uint32_t)sum;
        sum += here;
    }
}

/* Keys that are sorted by part: those of part p end at index end[p]. */
struct sorted {
    const struct distinct_keys *keys;
    const uint16_t *which; /* as for distinct_table_add */
    const uint32_t *end;   /* [PARTS] */
    size_t start;          /* the part to begin with */
};

/* Adds the keys of a part whose lock the thread holds. */
static enum distinct_lost add_part(struct distinct_part *part,
                                   const struct sorted *s, size_t p)
{
    const uint32_t first = p > 0 ? s->end[p - 1] : 0;
    struct distinct_keys here = *s->keys;
    here.hash += s->which ? 0 : first;
    return add_to(&part[p], &here, s->which ? s->which + first : NULL,
                  s->end[p] - first);
}

/*
 * Adds sorted keys. All parts have about as many keys, so they grow at about
 * the same time. If each worker waited for a part that grows, all would follow
 * one worker from part to part, and one thread would do all the growing. So
 * workers begin at different parts, and come back to parts that are locked.
 */
static enum distinct_lost add_sorted(struct distinct_part *part,
                                     const struct sorted *s)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    uint8_t later[PARTS];
    size_t n = 0;
    for (size_t i = 0; i < PARTS && !lost; i++) {
        const size_t p = (s->start + i) % PARTS;
        if (s->end[p] == (p > 0 ? s->end[p - 1] : 0))
            continue;
        if (pthread_mutex_trylock(&part[p].lock) != 0) {
            later[n++] = (uint8_t)p;
            continue;
        }
        lost = add_part(part, s, p);
        pthread_mutex_unlock(&part[p].lock);
    }
    for (size_t i = 0; i < n && !lost; i++) {
        pthread_mutex_lock(&part[later[i]].lock);
        lost = add_part(part, s, later[i]);
        pthread_mutex_unlock(&part[later[i]].lock);
    }
    return lost;
}

/* Sorts the keys' indexes by part. */
static enum distinct_lost add_to_parts(struct distinct_part *part,
                                       const struct distinct_keys *keys,
                                       const uint16_t *which, size_t n)
{
    uint16_t sorted[DISTINCT_MOST];
    uint32_t at[PARTS];
    find_firsts(at, keys->hash, which, n);
    for (size_t k = 0; k < n; k++) {
        const uint16_t i = which ? which[k] : (uint16_t)k;
        sorted[at[part_of(keys->hash[i])]++] = i;
    }
    return add_sorted(
        part, &(struct sorted){keys, sorted, at,
                               part_of(keys->hash[which ? which[0] : 0])});
}

/* Sorts the hashes by part. */
static enum distinct_lost add_many_to_parts(struct distinct_part *part,
                                            const uint64_t *hash,
                                            uint64_t *room, size_t n)
{
    const struct distinct_keys keys = {.hash = room};
    uint32_t at[PARTS];
    find_firsts(at, hash, NULL, n);
    for (size_t k = 0; k < n; k++)
        room[at[part_of(hash[k])]++] = hash[k];
    return add_sorted(part,
                      &(struct sorted){&keys, NULL, at, part_of(hash[0])});
}

/* Adds the keys of a table. */
static enum distinct_lost add_table(struct distinct_part *part,
                                    const struct distinct_table *t)
{
    struct distinct_block block;
    enum distinct_lost lost = DISTINCT_KEPT;
    size_t n;
    block.from = 0;
    while (!lost && (n = distinct_table_read(t, &block)) > 0)
        lost = add_to_parts(part, &block.keys, NULL, n);
    part[0].table.has_zero = t->has_zero;
    part[0].table.zeros = t->zeros;
    return lost;
}

/* Adds to the single table. If it has many keys then, cuts the set into parts.
 */
static enum distinct_lost add_to_few(struct distinct_set *s,
                                     const struct distinct_keys *keys,
                                     const uint16_t *which, size_t n)
{
    enum distinct_lost lost = add_to(&s->few, keys, which, n);
    if (lost || s->few.table.n < FEW_MOST)
        return lost;
    struct distinct_part *part = new_parts(s->kind, &lost);
    if (!part)
        return lost;
    lost = add_table(part, &s->few.table);
    distinct_table_close(&s->few.table);
    __atomic_store_n(&s->part, part, __ATOMIC_RELEASE);
    return lost;
}

enum distinct_lost distinct_set_add(struct distinct_set *s,
                                    const struct distinct_keys *keys,
                                    const uint16_t *which, size_t n)
{
    enum distinct_lost lost = distinct_set_lost(s);
    if (lost || n == 0)
        return lost;
    struct distinct_part *part = parts_of(s);
    if (!part) {
        pthread_mutex_lock(&s->few.lock);
        part = parts_of(s);
        if (!part)
            lost = add_to_few(s, keys, which, n);
        pthread_mutex_unlock(&s->few.lock);
    }
    if (part)
        lost = add_to_parts(part, keys, which, n);
    return lose(s, lost);
}

enum distinct_lost distinct_set_add_many(struct distinct_set *s,
                                         const uint64_t *hash, uint64_t *room,
                                         size_t n)
{
    enum distinct_lost lost = distinct_set_lost(s);
    while (n > 0 && !lost && !parts_of(s)) {
        const size_t few = n < DISTINCT_MOST ? n : DISTINCT_MOST;
        const struct distinct_keys keys = {.hash = hash};
        lost = distinct_set_add(s, &keys, NULL, few);
        hash += few;
        n -= few;
    }
    return n == 0 || lost
               ? lost
               : lose(s, add_many_to_parts(parts_of(s), hash, room, n));
}

const struct distinct_table *distinct_set_table(const struct distinct_set *s,
                                                size_t i)
{
    const struct distinct_part *part = parts_of(s);
    if (!part)
        return i == 0 ? &s->few.table : NULL;
    return i < PARTS ? &part[i].table : NULL;
}

uint64_t distinct_set_n(struct distinct_set *s)
{
    uint64_t n = 0;
    pthread_mutex_lock(&s->few.lock);
    n += distinct_table_n(&s->few.table);
    pthread_mutex_unlock(&s->few.lock);
    struct distinct_part *part = parts_of(s);
    for (size_t p = 0; part && p < PARTS; p++) {
        pthread_mutex_lock(&part[p].lock);
        n += distinct_table_n(&part[p].table);
        pthread_mutex_unlock(&part[p].lock);
    }
    return n;
}

struct distinct_kind distinct_set_kind(const struct distinct_set *s)
{
    return s->kind;
}
