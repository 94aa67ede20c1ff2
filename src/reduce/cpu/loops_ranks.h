/* SPDX-License-Identifier: MIT */
/*
 * Counts values in bins of keys, and keeps keys (reduce/ranks.h). A block's
 * keys are computed first, then the numbers of their bins; the compiler
 * vectorises both. Only the additions to the bins are made one by one. Those
 * to one address wait five cycles for each other, and sorted or constant data
 * have no others. So a block in one bin takes one addition, and so do four
 * neighbours in one bin.
 */
#pragma once

#include "reduce/cpu/loops_ranks_vector.h"

enum { RANKS_BLOCK = RANK_ROOM };

/* Keys that are counted in a counter of the type U before it may overflow. */
#define RANKS_COUNTED(U) ((size_t)(sizeof(U) == 1 ? 128 : RANKS_BLOCK))
#define RANKS_MIN(a, b) ((a) < (b) ? (a) : (b))

/*
 * U is the type of a key; KEY is the key of the stored element v. A key's
 * distance is key - low, which wraps around: for a key outside the part it is
 * greater than the span. The number of a bin fits U, except where no key can be
 * outside.
 */
#define RANKS(dtype, U, KEY)                                                   \
    static void ranks_keys_##dtype(U *restrict key, const char *restrict p,    \
                                   size_t n, U base)                           \
    {                                                                          \
        for (size_t i = 0; i < n; i++) {                                       \
            const U v = ELEMENT_AT(U, p, i);                                   \
            key[i] = (U)(KEY - base);                                          \
        }                                                                      \
    }                                                                          \
                                                                               \
    static void ranks_add_##dtype(uint64_t *restrict count,                    \
                                  const U *restrict bin, size_t n)             \
    {                                                                          \
        size_t i = 0;                                                          \
        for (; i + 4 <= n; i += 4) {                                           \
            const U a = bin[i], b = bin[i + 1], c = bin[i + 2],                \
                    d = bin[i + 3];                                            \
            if (((a ^ b) | (a ^ c) | (a ^ d)) == 0) {                          \
                count[a] += 4;                                                 \
                continue;                                                      \
            }                                                                  \
            count[a]++;                                                        \
            count[b]++;                                                        \
            count[c]++;                                                        \
            count[d]++;                                                        \
        }                                                                      \
        for (; i < n; i++)                                                     \
            count[bin[i]]++;                                                   \
    }                                                                          \
                                                                               \
    /* Finds the least and greatest distance of the keys in the part. If none  \
     * is in the part, the greatest is 0. Returns how many are outside, modulo \
     * 2^(bits of U). */                                                       \
    static U ranks_bins_##dtype(U *restrict bin, const U *restrict key,        \
                                size_t n, const struct rank_part *p, U *least, \
                                U *greatest)                                   \
    {                                                                          \
        const U low = (U)p->low, span = (U)p->span, outside = (U)p->bins;      \
        const unsigned shift = p->shift;                                       \
        U min = (U)-1, max = 0, away = 0;                                      \
        for (size_t i = 0; i < n; i++) {                                       \
            const U d = (U)(key[i] - low);                                     \
            const U is_out = (U) - (U)(d > span);                              \
            const U inside = (U)(d & (U)~is_out);                              \
            bin[i] = (U)((U)(inside >> shift) | (U)(outside & is_out));        \
            min = d < min ? d : min;                                           \
            max = inside > max ? inside : max;                                 \
            away = (U)(away - is_out);                                         \
        }                                                                      \
        *least = min;                                                          \
        *greatest = max;                                                       \
        return away;                                                           \
    }                                                                          \
                                                                               \
    static void ranks_count_##dtype(struct ranks *r, size_t part,              \
                                    const U *key, size_t n)                    \
    {                                                                          \
        const struct rank_part *p = &r->asked->part[part];                     \
        struct rank_reach *reach = &r->reach[part];                            \
        uint64_t *count = r->count + p->first;                                 \
        U bin[RANKS_BLOCK], least, greatest;                                   \
        const U away = ranks_bins_##dtype(bin, key, n, p, &least, &greatest);  \
        if (least > p->span)                                                   \
            return;                                                            \
        if (away == 0 && least >> p->shift == greatest >> p->shift)            \
            count[bin[0]] += n;                                                \
        else                                                                   \
            ranks_add_##dtype(count, bin, n);                                  \
        reach->least = RANKS_MIN(reach->least, least);                         \
        reach->greatest =                                                      \
            greatest > reach->greatest ? greatest : reach->greatest;           \
    }                                                                          \
                                                                               \
    /* Keeps the keys whose distance from `low` is at most the span, each plus \
     * `base`. If there is no room, the state is then lost or crowded. */      \
    static void ranks_keep_##dtype(struct ranks *r, const U *restrict key,     \
                                   size_t n, U low, U span, U base)            \
    {                                                                          \
        uint8_t inside[RANKS_BLOCK];                                           \
        U *restrict to = ranks_room(r, n, sizeof *to);                         \
        size_t kept = 0;                                                       \
        if (!to)                                                               \
            return;                                                            \
        size_t i =                                                             \
            ranks_squeeze(to, key, n, sizeof *to, low, span, base, &kept);     \
        for (size_t k = i; k < n; k++)                                         \
            inside[k] = (U)(key[k] - low) <= span;                             \
        for (; i + 8 <= n; i += 8) {                                           \
            uint64_t eight;                                                    \
            memcpy(&eight, inside + i, sizeof eight);                          \
            for (; eight; eight &= eight - 1)                                  \
                to[kept++] =                                                   \
                    (U)(key[i + (unsigned)__builtin_ctzll(eight) / 8] + base); \
        }                                                                      \
        for (; i < n; i++) {                                                   \
            if (inside[i])                                                     \
                to[kept++] = (U)(key[i] + base);                               \
        }                                                                      \
        r->kept->n += kept;                                                    \
    }                                                                          \
                                                                               \
    /* Returns how many distances are at most `end`. */                        \
    static size_t ranks_up_to_##dtype(const U *restrict d, size_t n, U end)    \
    {                                                                          \
        size_t all = 0;                                                        \
        if (end == (U)-1)                                                      \
            return n;                                                          \
        for (size_t i = ranks_up_to_bytes(d, n, sizeof *d, end, &all); i < n;  \
             i += RANKS_COUNTED(U)) {                                          \
            const size_t m = RANKS_MIN(n - i, RANKS_COUNTED(U));               \
            U some = 0;                                                        \
            _Pragma("GCC unroll 4") for (size_t j = 0; j < m; j++)             \
            {                                                                  \
                const U is_in = (U) - (U)(d[i + j] <= end);                    \
                some = (U)(some - is_in);                                      \
            }                                                                  \
            all += some;                                                       \
        }                                                                      \
        return all;                                                            \
    }                                                                          \
                                                                               \
    static void ranks_cover_##dtype(struct ranks *r, const char *p, size_t n)  \
    {                                                                          \
        const struct rank_parts *a = r->asked;                                 \
        const U least = (U)a->part[0].low;                                     \
        U d[RANKS_BLOCK];                                                      \
        ranks_keys_##dtype(d, p, n, least);                                    \
        for (size_t k = 0, before = 0; k < a->parts; k++) {                    \
            const struct rank_part *part = &a->part[k];                        \
            const U low = (U)(part->low - least);                              \
            const size_t up_to =                                               \
                ranks_up_to_##dtype(d, n, (U)(low + (U)part->span));           \
            if (part->bins == 0 && up_to > before)                             \
                ranks_keep_##dtype(r, d, n, low, (U)part->span, least);        \
            r->count[k] += up_to;                                              \
            before = up_to;                                                    \
        }                                                                      \
    }                                                                          \
                                                                               \
    static void ranks_edges_##dtype(struct ranks *r, const U *key, size_t n)   \
    {                                                                          \
        const struct rank_parts *a = r->asked;                                 \
        const uint64_t *edge = a->edge;                                        \
        const size_t half = rank_half(a->edges);                               \
        for (size_t i = 0; i < n; i++) {                                       \
            size_t at = 0;                                                     \
            for (size_t step = half; step > 0; step /= 2)                      \
                at += edge[at + step - 1] <= key[i] ? step : 0;                \
            r->count[RANKS_MIN(at, a->edges)]++;                               \
        }                                                                      \
    }                                                                          \
                                                                               \
    static void ranks_##dtype(struct accumulator *w, const void *data,         \
                              size_t n, uint64_t first)                        \
    {                                                                          \
        struct ranks *r = &w->state->ranks;                                    \
        const struct rank_parts *a = r->asked;                                 \
        const char *p = data;                                                  \
        (void)first;                                                           \
        if (!a || a->parts + a->edges == 0 ||                                  \
            (a->bins > 0 && !ranks_can_count(r)))                              \
            return;                                                            \
        for (size_t i = 0; i < n; i += RANKS_BLOCK) {                          \
            U key[RANKS_BLOCK];                                                \
            const size_t m = RANKS_MIN(n - i, (size_t)RANKS_BLOCK);            \
            for (size_t k = 0; k < m * sizeof *key; k += CACHE_LINE)           \
                prefetch_ahead(p + i * sizeof *key + k);                       \
            if (a->covers) {                                                   \
                ranks_cover_##dtype(r, p + i * sizeof *key, m);                \
                continue;                                                      \
            }                                                                  \
            ranks_keys_##dtype(key, p + i * sizeof *key, m, 0);                \
            if (a->edge)                                                       \
                ranks_edges_##dtype(r, key, m);                                \
            for (size_t k = 0; k < a->parts; k++) {                            \
                const struct rank_part *part = &a->part[k];                    \
                if (a->keeps)                                                  \
                    ranks_keep_##dtype(r, key, m, (U)part->low, (U)part->span, \
                                       0);                                     \
                else                                                           \
                    ranks_count_##dtype(r, k, key, m);                         \
            }                                                                  \
        }                                                                      \
    }

#define RANK_FLOAT(S, U) \
    ((U)(v ^ ((U)((S)v >> (8 * sizeof(U) - 1)) | (U)SIGN(U))))
#define RANK_SIGNED(U) ((U)(v ^ (U)SIGN(U)))

RANKS(f16, uint16_t, RANK_FLOAT(int16_t, uint16_t))
RANKS(f32, uint32_t, RANK_FLOAT(int32_t, uint32_t))
RANKS(f64, uint64_t, RANK_FLOAT(int64_t, uint64_t))
#define ranks_bf16 ranks_f16
RANKS(i8, uint8_t, RANK_SIGNED(uint8_t))
RANKS(i16, uint16_t, RANK_SIGNED(uint16_t))
RANKS(i32, uint32_t, RANK_SIGNED(uint32_t))
RANKS(i64, uint64_t, RANK_SIGNED(uint64_t))
RANKS(u8, uint8_t, v)
RANKS(u16, uint16_t, v)
RANKS(u32, uint32_t, v)
RANKS(u64, uint64_t, v)
