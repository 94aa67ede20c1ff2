/* SPDX-License-Identifier: MIT */
#include "reduce/distinct_seen.h"

#include <stdlib.h>
#include <string.h>

#include "reduce/distinct_memory.h"
#include "reduce/keys.h"

enum {
    /* A new integer costs more time than an old one saves. A worker looks no
     * more up when it spent so many keys ... */
    SPENT_MOST = 1 << 18,
    /* ... of which fewer than 1 in SAVED were old. Then it looks up one block
     * of keys in so many. */
    SAVED = 16,
    REST = 64,
};

struct distinct_seen {
    enum dtype dtype;
    uint64_t first;    /* the window's first integer */
    uint64_t integers; /* in the window */
    uint64_t *word;    /* [integers / 64]; atomic */
};

/* A float's integer: the bits of its sum with 1.5 * 2^52, which has no
 * fraction. Two floats never have the same. Other floats get one outside the
 * window. */
static inline uint64_t integer_of(double value, uint64_t first)
{
    const double big = 0x1.8p52, sum = value + big;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return sum - big == value ? bits : first - 1;
}

/* Sets the place of each key in a window from `first` on. */
static void find_places(enum dtype dtype, uint64_t first, const uint64_t *key,
                        size_t n, uint64_t *restrict at)
{
    const bool is_wide = dtype_size(dtype) == 8;
    const uint64_t all = is_wide ? UINT64_MAX : UINT32_MAX;
    if (!dtype_is_float(dtype)) {
        for (size_t i = 0; i < n; i++)
            at[i] = (key[i] - first) & all;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t low = (uint32_t)key[i];
        double wide;
        float narrow;
        memcpy(&wide, &key[i], sizeof wide);
        memcpy(&narrow, &low, sizeof narrow);
        at[i] = integer_of(is_wide ? wide : (double)narrow, first) - first;
    }
}

static size_t count_below(const uint64_t *at, size_t n, uint64_t end)
{
    size_t below = 0;
    for (size_t i = 0; i < n; i++)
        below += at[i] < end;
    return below;
}

/* Chooses a window near the least of the keys. NULL: most keys are not integers
 * near it, or memory ran out. */
static struct distinct_seen *make(enum dtype dtype, uint64_t integers,
                                  const uint64_t *key, size_t n)
{
    uint64_t at[KEYS_BLOCK], least = UINT64_MAX;
    enum distinct_lost lost;
    find_places(dtype, 0, key, n, at);
    for (size_t i = 0; i < n; i++)
        least = at[i] < least ? at[i] : least;
    const uint64_t first = least - integers / 4;
    find_places(dtype, first, key, n, at);
    if (count_below(at, n, integers) < n / 2)
        return NULL;
    struct distinct_seen *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    *s = (struct distinct_seen){dtype, first, integers,
                                distinct_take(integers / 8, &lost)};
    if (s->word)
        return s;
    free(s);
    return NULL;
}

void distinct_seen_free(struct distinct_seen *s)
{
    if (!s)
        return;
    distinct_give(s->word, s->integers / 8);
    free(s);
}

/* Returns the window, and makes it if there is none. */
static struct distinct_seen *have(struct distinct_seen **shared,
                                  uint64_t integers, enum dtype dtype,
                                  const uint64_t *key, size_t n)
{
    struct distinct_seen *s = __atomic_load_n(shared, __ATOMIC_ACQUIRE);
    if (s)
        return s;
    struct distinct_seen *made = make(dtype, integers, key, n);
    if (__atomic_compare_exchange_n(shared, &s, made, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return made;
    distinct_seen_free(made);
    return s;
}

/* Sets a bit, and returns whether it was 0. If two workers set bits of a word
 * at once, one bit may get lost, so that its integer is added again. */
static inline bool set_bit(struct distinct_seen *s, uint64_t place)
{
    uint64_t *word = &s->word[place / 64];
    const uint64_t bit = (uint64_t)1 << place % 64,
                   old = __atomic_load_n(word, __ATOMIC_RELAXED);
    if (old & bit)
        return false;
    __atomic_store_n(word, old | bit, __ATOMIC_RELAXED);
    return true;
}

/* Writes the keys to `to` that were not added, and returns how many. Sets
 * *inside to the number of the keys in the window. */
static size_t filter(struct distinct_seen *s, const uint64_t *key, size_t n,
                     uint64_t *to, size_t *inside)
{
    uint64_t at[KEYS_BLOCK];
    size_t unset = 0, left = 0;
    find_places(s->dtype, s->first, key, n, at);
    *inside = count_below(at, n, s->integers);
    for (size_t i = 0; i < n; i++) {
        const uint64_t place = at[i], in = place < s->integers;
        const uint64_t *word = &s->word[in ? place / 64 : 0];
        to[unset] = key[i];
        at[unset] = place;
        unset += !(in & __atomic_load_n(word, __ATOMIC_RELAXED) >> place % 64);
    }
    for (size_t i = 0; i < unset; i++) {
        to[left] = to[i];
        left += at[i] >= s->integers || set_bit(s, at[i]);
    }
    return left;
}

size_t distinct_seen_leave_out(struct distinct_unseen *u,
                               struct distinct_seen **shared, uint64_t integers,
                               enum dtype dtype, const uint64_t **key, size_t n,
                               uint64_t *room)
{
    size_t left = n, inside = 0;
    if (u->rest > 0) {
        u->rest--;
        return n;
    }
    if (!u->seen)
        u->seen = have(shared, integers, dtype, *key, n);
    if (u->seen) {
        left = filter(u->seen, *key, n, room, &inside);
        *key = room;
    }
    const size_t saved = SAVED * (n - left), spent = u->spent + n;
    u->spent = inside < n / 2  ? SPENT_MOST + 1
               : spent > saved ? (uint32_t)(spent - saved)
                               : 0;
    u->rest = u->spent > SPENT_MOST ? REST : 0;
    return left;
}
