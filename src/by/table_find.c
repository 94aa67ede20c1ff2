/* SPDX-License-Identifier: MIT */
/* Looks keys up in a table, and adds new ones. */
#include <string.h>

#include "by/table.h"

/* Rows that are looked up together. */
enum { BATCH = 64 };

static bool has_key(const struct by_key *key, const struct key_sought *k)
{
    if (key->bytes != k->bytes || key->word[0] != k->word[0])
        return false;
    if (key->bytes <= KEY_SHORT)
        return key->word[1] == k->word[1];
    return memcmp(key_text(key).at, (const char *)(uintptr_t)k->word[1],
                  k->bytes) == 0;
}

/* Makes the record of a key, for which slot `at` is free. Returns its number.
 */
static uint32_t add(struct by_table *t, size_t at, const struct key_sought *k,
                    enum distinct_lost *lost)
{
    struct by_key key = {{k->word[0], k->word[1]}, k->bytes};
    if (k->bytes > KEY_SHORT) {
        const struct text_cell text = {(const char *)(uintptr_t)k->word[1],
                                       k->bytes, 0};
        key.word[1] = (uintptr_t)distinct_arena_add(&t->arena, text, lost);
    }
    const uint32_t id = (uint32_t)t->n++;
    char *record = table_record(t, id);
    memcpy(record, t->layout->blank, t->layout->bytes);
    ((struct by_head *)record)->key = key;
    t->slot[at] = (struct by_slot){table_tag(k->hash), id + 1};
    return id;
}

/* The number of the key's record, which it makes if there is none. The key is
 * not in the slots that precede `at` in its probe sequence. */
static __attribute__((noinline)) uint32_t find(struct by_table *t, size_t at,
                                               const struct key_sought *k,
                                               enum distinct_lost *lost)
{
    for (; t->slot[at].record; at = (at + 1) & (t->slots - 1)) {
        const uint32_t id = t->slot[at].record - 1;
        if (t->slot[at].tag == table_tag(k->hash) &&
            has_key(&table_head(t, id)->key, k))
            return id;
    }
    return add(t, at, k, lost);
}

/* The record of the key and its number. Quicker for a short key that is in this
 * slot, as most are: the words of a long key that is sought are never those of
 * one that is kept. */
static inline struct by_head *find_quick(struct by_table *t, size_t at,
                                         const struct key_sought *k,
                                         uint32_t *id, enum distinct_lost *lost)
{
    const uint32_t record = t->slot[at].record;
    if (__builtin_expect(record != 0, 1)) {
        struct by_head *head = (struct by_head *)table_record(t, record - 1);
        if (__builtin_expect(head->key.word[0] == k->word[0] &&
                                 head->key.word[1] == k->word[1] &&
                                 head->key.bytes == k->bytes,
                             1)) {
            *id = record - 1;
            return head;
        }
    }
    const struct key_sought sought = *k; /* so that *k can be in registers */
    *id = find(t, at, &sought, lost);
    return (struct by_head *)table_record(t, *id);
}

enum distinct_lost table_find_texts(struct by_table *t,
                                    const struct text_cell *text, size_t n,
                                    uint32_t *id)
{
    enum distinct_lost lost = table_reserve(t, n);
    for (size_t i = 0; i < n && !lost; i++) {
        const struct key_sought k = key_seek(text[i], 0);
        const size_t at = table_slot(t, table_tag(k.hash));
        find_quick(t, at, &k, &id[i], &lost)->rows++;
    }
    return lost;
}

/* Prefetches the slots of some keys, then the records that these point to. Sets
 * at[] to the first slot that may have each key. */
static void prefetch(const struct by_table *t, const struct key_sought *key,
                     size_t n, size_t *at)
{
    for (size_t i = 0; i < n; i++) {
        at[i] = table_slot(t, table_tag(key[i].hash));
        __builtin_prefetch(&t->slot[at[i]]);
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t tag = table_tag(key[i].hash);
        while (t->slot[at[i]].record && t->slot[at[i]].tag != tag)
            at[i] = (at[i] + 1) & (t->slots - 1);
        if (t->slot[at[i]].record)
            __builtin_prefetch(table_record(t, t->slot[at[i]].record - 1), 1);
    }
}

/* Finds the records of up to BATCH keys, for which there is room. */
static enum distinct_lost find_batch(struct by_table *t,
                                     const struct key_sought *key, size_t n,
                                     uint32_t *id)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    size_t at[BATCH];
    prefetch(t, key, n, at);
    for (size_t i = 0; i < n && !lost; i++) {
        uint32_t *const found = &id[key[i].row];
        find_quick(t, at[i], &key[i], found, &lost)->rows++;
    }
    return lost;
}

enum distinct_lost table_find(struct by_table *t, const struct key_sought *key,
                              size_t n, uint32_t *id)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t i = 0; i < n && !lost; i += BATCH) {
        const size_t batch = n - i < BATCH ? n - i : BATCH;
        lost = table_reserve(t, batch);
        if (!lost)
            lost = find_batch(t, key + i, batch, id);
    }
    return lost;
}
