/* SPDX-License-Identifier: MIT */
#include "reduce/distinct_table.h"

#include <string.h>

#include "reduce/hash.h"

/* Runs of slots are read in steps of it. It is odd, so each run is read once,
 * and its lower bits spread up to 2^30 runs well. */
#define STEP ((size_t)0x9e3779b97f4a7c15)

enum {
    LEAST_ROOM = 16,
    /* The slots of so many keys are prefetched before the first is read: as
     * many loads as a core has under way. */
    AHEAD = 12,
    /* Fewer slots fit a core's own cache, and are not prefetched. */
    CACHED = 16 << 10,
    /* Texts that are prefetched together. */
    TOGETHER = 32,
    /* Slots of a run: a cache line of wide keys. The number of slots is a power
     * of two, at least LEAST_ROOM. */
    RUN = 8,
    PAGE = 4096,
};

static size_t hash_bytes(const struct distinct_table *t)
{
    return t->room * (t->kind.is_narrow ? sizeof(uint32_t) : sizeof(uint64_t));
}

static void close_slots(struct distinct_table *t)
{
    distinct_give(t->hash, hash_bytes(t));
    distinct_give(t->count, t->room * sizeof *t->count);
    distinct_give(t->text, t->room * sizeof *t->text);
}

void distinct_table_close(struct distinct_table *t)
{
    close_slots(t);
    distinct_arena_free(t->arena);
    *t = distinct_table_empty(t->kind, t->skip);
}

/* The first slot for a key. It follows from the upper bits that not all keys
 * share, so that tables of any size have the keys in the same order. */
static inline size_t slot_of(const struct distinct_table *t, uint64_t hash)
{
    return (size_t)((unsigned __int128)(hash << t->skip) * t->room >> 64);
}

static inline size_t next_slot(const struct distinct_table *t, size_t slot)
{
    return slot + 1 == t->room ? 0 : slot + 1;
}

static inline uint64_t load(const struct distinct_table *t, bool is_narrow,
                            size_t slot)
{
    return is_narrow ? (uint64_t)((const uint32_t *)t->hash)[slot] << 32
                     : ((const uint64_t *)t->hash)[slot];
}

static inline void store(struct distinct_table *t, bool is_narrow, size_t slot,
                         uint64_t hash)
{
    if (is_narrow)
        ((uint32_t *)t->hash)[slot] = (uint32_t)(hash >> 32);
    else
        ((uint64_t *)t->hash)[slot] = hash;
}

/* Writes to each page. Keys that move there would read a page before they write
 * to it, which makes two page faults of one and splits huge pages. The call
 * that maps all pages, MADV_POPULATE_WRITE, makes other threads wait. */
static void touch_slots(const struct distinct_table *t)
{
    volatile char *at = t->hash;
    for (size_t i = 0; i < hash_bytes(t); i += PAGE)
        at[i] = 0;
}

static bool open_slots(struct distinct_table *t, enum distinct_lost *lost)
{
    t->hash = distinct_take(hash_bytes(t), lost);
    if (t->hash && t->kind.has_counts)
        t->count = distinct_take(t->room * sizeof *t->count, lost);
    if (t->hash && t->kind.has_texts)
        t->text = distinct_take(t->room * sizeof *t->text, lost);
    if (t->hash && (t->count || !t->kind.has_counts) &&
        (t->text || !t->kind.has_texts)) {
        touch_slots(t);
        return true;
    }
    close_slots(t);
    return false;
}

/* Puts all keys of `from` into the slots of the table, which has as many or
 * more. */
static void move_keys(struct distinct_table *t,
                      const struct distinct_table *from)
{
    for (size_t i = 0; i < from->room; i++) {
        const uint64_t hash = load(from, t->kind.is_narrow, i);
        if (hash == 0)
            continue;
        size_t slot = slot_of(t, hash);
        while (load(t, t->kind.is_narrow, slot) != 0)
            slot = next_slot(t, slot);
        store(t, t->kind.is_narrow, slot, hash);
        if (t->count)
            t->count[slot] = from->count[i];
        if (t->text)
            t->text[slot] = from->text[i];
    }
}

enum distinct_lost distinct_table_reserve(struct distinct_table *t, size_t more)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    struct distinct_table grown = *t;
    const size_t need = (t->n + more) / 3 * 4 + 4;
    if (need <= t->room)
        return DISTINCT_KEPT;
    grown.room = t->room > 0 ? t->room : LEAST_ROOM;
    while (grown.room < need)
        grown.room *= 2;
    grown.hash = grown.count = NULL;
    grown.text = NULL;
    if (!open_slots(&grown, &lost))
        return lost;
    move_keys(&grown, t);
    close_slots(t);
    *t = grown;
    return DISTINCT_KEPT;
}

static bool same_bytes(const char *a, const char *b, size_t n)
{
    for (; n > 8; a += 8, b += 8, n -= 8) {
        if (hash_load(a, 8) != hash_load(b, 8))
            return false;
    }
    return hash_tail(a, n) == hash_tail(b, n);
}

static inline bool is_text(const char *have, struct text_cell text)
{
    const struct text_cell cell = distinct_text(have);
    return cell.bytes == text.bytes && same_bytes(cell.at, text.at, text.bytes);
}

static inline void prefetch(const struct distinct_table *t, bool is_narrow,
                            uint64_t hash)
{
    const size_t slot = slot_of(t, hash);
    __builtin_prefetch((char *)t->hash + slot * (is_narrow ? 4 : 8), 1);
    if (t->count)
        __builtin_prefetch(t->count + slot, 1);
}

/* Adds numbers. is_narrow is a constant in each copy of this function. */
static inline __attribute__((always_inline)) void
add_numbers(struct distinct_table *into, bool is_narrow,
            const struct distinct_keys *keys, const uint16_t *which, size_t n)
{
    struct distinct_table table = *into, *const t = &table; /* in registers */
    /* Of the parts of a set, which have bits to skip, the others use the cache.
     */
    size_t far = t->skip == 0 && t->room < CACHED ? n : 0;
    for (size_t k = 0; k < n; k++) {
        const size_t i = which ? which[k] : k;
        const uint64_t hash = keys->hash[i];
        const uint64_t count = keys->count ? keys->count[i] : 1;
        for (; far < n && far <= k + AHEAD; far++)
            prefetch(t, is_narrow, keys->hash[which ? which[far] : far]);
        if (hash == 0) {
            t->has_zero = true;
            t->zeros += count;
            continue;
        }
        size_t slot = slot_of(t, hash);
        uint64_t have;
        while ((have = load(t, is_narrow, slot)) != hash && have != 0)
            slot = next_slot(t, slot);
        if (have == 0) {
            store(t, is_narrow, slot, hash);
            t->n++;
        }
        if (t->count)
            t->count[slot] += count;
    }
    *into = table;
}

static struct text_cell text_at(const struct distinct_keys *keys, size_t i)
{
    return keys->cell ? keys->cell[i] : distinct_text(keys->text[i]);
}

/* Prefetches the slots of some keys, then the texts in these slots. */
static void prefetch_texts(const struct distinct_table *t,
                           const struct distinct_keys *keys,
                           const uint16_t *which, size_t first, size_t n)
{
    size_t slot[TOGETHER];
    for (size_t k = 0; k < n; k++) {
        const size_t i = which ? which[first + k] : first + k;
        slot[k] = slot_of(t, keys->hash[i]);
        __builtin_prefetch((const uint64_t *)t->hash + slot[k]);
        __builtin_prefetch(t->text + slot[k]);
        if (keys->cell)
            __builtin_prefetch(keys->cell[i].at);
    }
    for (size_t k = 0; k < n; k++) {
        const size_t i = which ? which[first + k] : first + k;
        uint64_t have;
        while ((have = load(t, false, slot[k])) != 0 && have != keys->hash[i])
            slot[k] = next_slot(t, slot[k]);
        __builtin_prefetch(t->text[slot[k]]);
    }
}

/* The slot that has a text, or else the free slot for it. */
static size_t find_text(const struct distinct_table *t, uint64_t hash,
                        struct text_cell text)
{
    size_t slot = slot_of(t, hash);
    uint64_t have;
    while ((have = load(t, false, slot)) != 0 &&
           (have != hash || !is_text(t->text[slot], text)))
        slot = next_slot(t, slot);
    return slot;
}

static enum distinct_lost add_texts(struct distinct_table *t,
                                    const struct distinct_keys *keys,
                                    const uint16_t *which, size_t n)
{
    enum distinct_lost lost = DISTINCT_KEPT;
    for (size_t k = 0; k < n; k++) {
        const size_t i = which ? which[k] : k;
        const struct text_cell text = text_at(keys, i);
        if (k % TOGETHER == 0)
            prefetch_texts(t, keys, which, k,
                           n - k < TOGETHER ? n - k : TOGETHER);
        const size_t slot = find_text(t, keys->hash[i], text);
        if (load(t, false, slot) == 0) {
            t->text[slot] = distinct_arena_add(&t->arena, text, &lost);
            if (!t->text[slot])
                return lost;
            store(t, false, slot, keys->hash[i]);
            t->n++;
        }
        if (t->count)
            t->count[slot] += keys->count ? keys->count[i] : 1;
    }
    return DISTINCT_KEPT;
}

enum distinct_lost distinct_table_add(struct distinct_table *t,
                                      const struct distinct_keys *keys,
                                      const uint16_t *which, size_t n)
{
    if (t->kind.has_texts)
        return add_texts(t, keys, which, n);
    if (t->kind.is_narrow)
        add_numbers(t, true, keys, which, n);
    else
        add_numbers(t, false, keys, which, n);
    return DISTINCT_KEPT;
}

/* The slot that is read as number i. */
static inline size_t slot_to_read(const struct distinct_table *t, size_t i)
{
    const size_t runs = t->room / RUN;
    return (i / RUN * STEP & (runs - 1)) * RUN + i % RUN;
}

size_t distinct_table_read(const struct distinct_table *t,
                           struct distinct_block *to)
{
    size_t n = 0;
    for (; to->from < t->room && n < DISTINCT_BLOCK; to->from++) {
        const size_t slot = slot_to_read(t, to->from);
        to->hash[n] = distinct_table_hash(t, slot);
        to->count[n] = t->count ? t->count[slot] : 1;
        to->text[n] = t->text ? t->text[slot] : NULL;
        n += to->hash[n] != 0;
    }
    to->keys = (struct distinct_keys){to->hash, t->count ? to->count : NULL,
                                      NULL, t->text ? to->text : NULL};
    return n;
}

uint64_t distinct_table_times(const struct distinct_table *t, uint64_t hash)
{
    const uint64_t zeros = t->kind.has_counts ? t->zeros : 1;
    if (hash == 0 || t->room == 0)
        return hash == 0 && t->has_zero ? zeros : 0;
    size_t slot = slot_of(t, hash);
    uint64_t have;
    while ((have = distinct_table_hash(t, slot)) != hash && have != 0)
        slot = next_slot(t, slot);
    return have != hash ? 0 : t->count ? t->count[slot] : 1;
}

void distinct_table_clear(struct distinct_table *t)
{
    if (t->room > 0)
        memset(t->hash, 0, hash_bytes(t));
    if (t->count)
        memset(t->count, 0, t->room * sizeof *t->count);
    distinct_arena_free(t->arena);
    t->arena = NULL;
    t->n = 0;
    t->has_zero = false;
    t->zeros = 0;
}
