/* SPDX-License-Identifier: MIT */
#include "reduce/select.h"

#include <string.h>

#include "base/element.h"

enum {
    SORTED = 24, /* so few keys, or fewer, are sorted */
    /* The number of bins is 2 to this power, for fewer and for many keys. */
    BITS_OF_FEW = 6,
    BITS = 10,
    MANY = 1 << 12,
};

size_t select_size(enum dtype dtype)
{
    return dtype_info(dtype)->size == 8 ? 8 : 4;
}

/* A group: the targets whose values are in one bin. */
struct bin_group {
    size_t bin;
    size_t below, n;     /* keys in the bins before it, and in it */
    size_t first, count; /* its targets: number of the first, and how many */
};

/* Sets *g to the next group. False: there is none. Ranks are greater by `base`
 * than indexes among the sorted keys. */
static bool next_group(struct bin_group *g, const size_t *count, size_t base,
                       const struct rank_found *target, size_t targets)
{
    size_t i = g->first + g->count;
    if (i == targets)
        return false;
    while (target[i].rank - base >= g->below + g->n) {
        g->below += g->n;
        g->n = count[++g->bin];
    }
    g->first = i;
    while (i < targets && target[i].rank - base < g->below + g->n)
        i++;
    g->count = i - g->first;
    return true;
}

static struct bin_group before_first(void)
{
    return (struct bin_group){.bin = SIZE_MAX};
}

#define SELECT(U)                                                              \
    static void sort_##U(U *key, size_t n)                                     \
    {                                                                          \
        for (size_t i = 1; i < n; i++) {                                       \
            const U x = key[i];                                                \
            size_t at = i;                                                     \
            for (; at > 0 && key[at - 1] > x; at--)                            \
                key[at] = key[at - 1];                                         \
            key[at] = x;                                                       \
        }                                                                      \
    }                                                                          \
                                                                               \
    /* Neighbours have counters of their own, since additions to one address   \
     * wait for each other. */                                                 \
    static void count_##U(size_t *restrict count, const U *restrict key,       \
                          size_t n, U low, unsigned shift, size_t bins)        \
    {                                                                          \
        size_t other[(size_t)1 << BITS];                                       \
        memset(count, 0, bins * sizeof *count);                                \
        memset(other, 0, bins * sizeof *other);                                \
        for (size_t i = 0; i + 1 < n; i += 2) {                                \
            count[(U)(key[i] - low) >> shift]++;                               \
            other[(U)(key[i + 1] - low) >> shift]++;                           \
        }                                                                      \
        if (n % 2)                                                             \
            count[(U)(key[n - 1] - low) >> shift]++;                           \
        for (size_t i = 0; i < bins; i++)                                      \
            count[i] += other[i];                                              \
    }                                                                          \
                                                                               \
    /* `to` may be where the keys are. */                                      \
    static void take_##U(U *to, const U *key, size_t n, U low, unsigned shift, \
                         size_t bin)                                           \
    {                                                                          \
        size_t taken = 0;                                                      \
        for (size_t i = 0; i < n; i++) {                                       \
            const U x = key[i];                                                \
            to[taken] = x;                                                     \
            taken += (U)(x - low) >> shift == bin;                             \
        }                                                                      \
    }                                                                          \
                                                                               \
    /* `base` keys are below these. The bin with the most keys comes last,     \
     * in place: the others have at most half of them, so that n keys of       \
     * scratch suffice at all depths. */                                       \
    static void select_##U(U *key, size_t n, U *scratch, size_t base,          \
                           struct rank_found *target, size_t targets)          \
    {                                                                          \
        while (targets > 0 && n > SORTED) {                                    \
            size_t count[(size_t)1 << BITS];                                   \
            U low = key[0], high = key[0];                                     \
            for (size_t i = 1; i < n; i++) {                                   \
                low = key[i] < low ? key[i] : low;                             \
                high = key[i] > high ? key[i] : high;                          \
            }                                                                  \
            if (low == high)                                                   \
                break;                                                         \
            const unsigned bits = n < MANY ? BITS_OF_FEW : BITS,               \
                           length =                                            \
                               64 - (unsigned)__builtin_clzll(high - low),     \
                           shift = length > bits ? length - bits : 0;          \
            const size_t bins = (size_t)((U)(high - low) >> shift) + 1;        \
            count_##U(count, key, n, low, shift, bins);                        \
            struct bin_group g = before_first(), most = g;                     \
            while (next_group(&g, count, base, target, targets))               \
                most = g.n > most.n ? g : most;                                \
            g = before_first();                                                \
            while (next_group(&g, count, base, target, targets)) {             \
                if (g.bin == most.bin)                                         \
                    continue;                                                  \
                take_##U(scratch, key, n, low, shift, g.bin);                  \
                select_##U(scratch, g.n, scratch + g.n, base + g.below,        \
                           target + g.first, g.count);                         \
            }                                                                  \
            take_##U(key, key, n, low, shift, most.bin);                       \
            n = most.n;                                                        \
            base += most.below;                                                \
            target += most.first;                                              \
            targets = most.count;                                              \
        }                                                                      \
        if (n <= SORTED)                                                       \
            sort_##U(key, n);                                                  \
        for (size_t i = 0; i < targets; i++)                                   \
            target[i].key = key[target[i].rank - base];                        \
    }                                                                          \
                                                                               \
    static size_t numbers_##U(U *key, size_t n, U low, U span)                 \
    {                                                                          \
        size_t outside = 0, left = 0;                                          \
        for (size_t i = 0; i < n; i++)                                         \
            outside += (U)(key[i] - low) > span;                               \
        if (outside == 0)                                                      \
            return n;                                                          \
        for (size_t i = 0; i < n; i++) {                                       \
            const U x = key[i];                                                \
            key[left] = x;                                                     \
            left += (U)(x - low) <= span;                                      \
        }                                                                      \
        return left;                                                           \
    }

SELECT(uint32_t)
SELECT(uint64_t)

/* The key of a negative float has all bits inverted. */
#define KEYS(T, S, U)                                                         \
    static void keys_##T(U *restrict to, const char *restrict from, size_t n, \
                         bool is_signed, bool is_float)                       \
    {                                                                         \
        const T top = (T)(is_signed ? (T)1 << (8 * sizeof(T) - 1) : 0),       \
                flip = (T)(is_float ? ~top : 0);                              \
        for (size_t i = 0; i < n; i++) {                                      \
            const T x = ELEMENT_AT(T, from, i);                               \
            to[i] = (T)(x ^ top ^ (flip & (T)((S)x >> (8 * sizeof(T) - 1)))); \
        }                                                                     \
    }

KEYS(uint8_t, int8_t, uint32_t)
KEYS(uint16_t, int16_t, uint32_t)
KEYS(uint32_t, int32_t, uint32_t)
KEYS(uint64_t, int64_t, uint64_t)

void select_keys(enum dtype dtype, void *to, const void *from, size_t n)
{
    const bool is_float = dtype_is_float(dtype),
               is_signed = is_float || dtype_is_signed(dtype);
    const size_t size = dtype_info(dtype)->size;
    if (size == 1)
        keys_uint8_t(to, from, n, is_signed, is_float);
    else if (size == 2)
        keys_uint16_t(to, from, n, is_signed, is_float);
    else if (size == 4)
        keys_uint32_t(to, from, n, is_signed, is_float);
    else
        keys_uint64_t(to, from, n, is_signed, is_float);
}

size_t select_numbers(enum dtype dtype, void *key, size_t n)
{
    const uint64_t low = rank_least_key(dtype),
                   span = rank_greatest_key(dtype) - low;
    if (select_size(dtype) == 8)
        return numbers_uint64_t(key, n, low, span);
    return numbers_uint32_t(key, n, (uint32_t)low, (uint32_t)span);
}

void select_ranks(enum dtype dtype, void *key, size_t n, void *scratch,
                  struct rank_found *target, size_t targets)
{
    if (select_size(dtype) == 8)
        select_uint64_t(key, n, scratch, 0, target, targets);
    else
        select_uint32_t(key, n, scratch, 0, target, targets);
}
