/* SPDX-License-Identifier: MIT */
/* Looks keys up in a table, and adds new ones. */
#include <string.h>

#include "by/table.h"

static bool has_key(const struct by_key *key, const struct key_sought *k)
{
    if (key->bytes != k->bytes || key->word[0] != k->word[0])
        return false;
    if (key->bytes <= KEY_SHORT)
        return key->word[1] == k->word[1];
    return memcmp(key_text(key).at, (const char *)(uintptr_t)k->word[1],
                  k->bytes) == 0;
}

/* Makes the record of a key, for which slot `at` is free. Returns its number;
 * without memory for its text, that of a record that is not used. */
static uint32_t add(struct by_table *t, size_t at, const struct key_sought *k,
                    enum distinct_lost *lost)
{
    struct by_key key = {{k->word[0], k->word[1]}, k->bytes};
    if (k->bytes > KEY_SHORT) {
        const struct text_cell text = {(const char *)(uintptr_t)k->word[1],
                                       k->bytes, 0};
        key.word[1] = (uintptr_t)distinct_arena_add(&t->arena, text, lost);
    }
    /* A record without its text would be compared with the keys that follow. */
    if (*lost)
        return (uint32_t)t->n;
    const uint32_t id = (uint32_t)t->n++;
    char *record = table_record(t, id);
    memcpy(record, t->layout->blank, t->layout->bytes);
    ((struct by_head *)record)->key = key;
    t->slot[at] = (struct by_slot){k->tag, id + 1};
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
        if (t->slot[at].tag == k->tag && has_key(&table_head(t, id)->key, k))
            return id;
    }
    return add(t, at, k, lost);
}

/* Whether a record has the key. Right for short keys; never true of a long one:
 * its words differ from those that are kept. */
static inline bool is_of(const struct by_head *head, const struct key_sought *k)
{
    return __builtin_expect(head && head->key.word[0] == k->word[0] &&
                                head->key.word[1] == k->word[1] &&
                                head->key.bytes == k->bytes,
                            1);
}

/* The record that a slot points to, or NULL. */
static inline struct by_head *record_at(const struct by_table *t, size_t at)
{
    const uint32_t number = t->slot[at].record;
    return number ? (struct by_head *)table_record(t, number - 1) : NULL;
}

enum distinct_lost table_find_texts(struct by_table *t,
                                    const struct text_cell *text, size_t n,
                                    uint32_t *id)
{
    enum distinct_lost lost = table_reserve(t, n);
    for (size_t i = 0; i < n && !lost; i++) {
        const struct key_sought k = key_seek(text[i]);
        const size_t at = table_slot(t, k.tag);
        struct by_head *head = record_at(t, at);
        id[i] = t->slot[at].record - 1;
        if (!is_of(head, &k)) {
            const struct key_sought sought = k; /* so k can be in registers */
            id[i] = find(t, at, &sought, &lost);
            head = (struct by_head *)table_record(t, id[i]);
        }
        head->rows++;
    }
    return lost;
}

/* The slot of the first key with this tag, or a free slot. Most are in the
 * first or the second one, and no branch has to predict in which. */
static inline size_t find_tag(const struct by_table *t, uint32_t tag)
{
    size_t at = table_slot(t, tag);
    at += (t->slot[at].tag != tag) & (t->slot[at].record != 0);
    at &= t->slots - 1;
    while (t->slot[at].record && t->slot[at].tag != tag)
        at = (at + 1) & (t->slots - 1);
    return at;
}

static inline const struct key_sought *key_at(const char *key, size_t stride,
                                              size_t i)
{
    return (const struct key_sought *)(const void *)(key + i * stride);
}

/* Prefetches the slots of n keys. */
static void fetch(const struct by_table *t, const char *key, size_t stride,
                  size_t n)
{
    for (size_t i = 0; i < n && t->slots > 0; i++)
        __builtin_prefetch(
            &t->slot[table_slot(t, key_at(key, stride, i)->tag)]);
}

/* Sets id[i] and record[i] of up to TABLE_BATCH keys. */
static enum distinct_lost find_batch(struct by_table *t, const char *key,
                                     size_t stride, size_t n, uint32_t *id,
                                     char **record)
{
    enum distinct_lost lost = table_reserve(t, n);
    uint32_t at[TABLE_BATCH];
    for (size_t i = 0; i < n && !lost; i++) {
        at[i] = (uint32_t)find_tag(t, key_at(key, stride, i)->tag);
        id[i] = t->slot[at[i]].record - 1;
        record[i] = (char *)record_at(t, at[i]);
        __builtin_prefetch(record[i], 1);
    }
    for (size_t i = 0; i < n && !lost; i++) {
        const struct key_sought *k = key_at(key, stride, i);
        if (!is_of((struct by_head *)record[i], k)) {
            id[i] = find(t, at[i], k, &lost);
            record[i] = table_record(t, id[i]);
        }
        ((struct by_head *)record[i])->rows++;
    }
    return lost;
}

enum distinct_lost table_find_records(struct by_table *t, const char *key,
                                      size_t stride, size_t n, size_t ahead,
                                      char **record)
{
    uint32_t id[TABLE_BATCH];
    fetch(t, key + n * stride, stride, ahead);
    return find_batch(t, key, stride, n, id, record);
}

enum distinct_lost table_find(struct by_table *t, const struct key_sought *key,
                              size_t n, const uint32_t *row, uint32_t *id)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t i = 0, batch; i < n && !lost; i += batch) {
        char *record[TABLE_BATCH];
        uint32_t found[TABLE_BATCH];
        batch = n - i < TABLE_BATCH ? n - i : TABLE_BATCH;
        fetch(t, (const char *)(key + i), sizeof *key, batch);
        lost = find_batch(t, (const char *)(key + i), sizeof *key, batch, found,
                          record);
        for (size_t k = 0; k < batch && !lost; k++)
            id[row ? row[i + k] : i + k] = found[k];
    }
    return lost;
}
