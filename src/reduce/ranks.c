/* SPDX-License-Identifier: MIT */
#include "reduce/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reduce/float_format.h"

enum {
    /* Limits of a piece's bytes. Each piece is as large as all before it
     * together, and holds what is asked for. Tables may have millions of
     * columns, each with a piece for a few values. */
    PIECE_LEAST = 128,
    PIECE_MOST = 4 << 20,
    WIDES_LEAST = 16,
};

int rank_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void ranks_init(struct ranks *r)
{
    *r = (struct ranks){.asked = NULL};
}

void rank_pieces_free(struct rank_piece *piece)
{
    while (piece) {
        struct rank_piece *next = piece->next;
        memory_give(piece->bytes);
        free(piece);
        piece = next;
    }
}

void ranks_close(struct ranks *r)
{
    free(r->count);
    rank_pieces_free(r->kept);
    memory_give(r->wides.room * sizeof *r->wides.at);
    free(r->wides.at);
    free(r->found);
    ranks_init(r);
}

/* Marks the state lost, and frees its memory for other states. */
static void lose(struct ranks *r)
{
    const struct rank_parts *asked = r->asked;
    ranks_close(r);
    r->asked = asked;
    r->lost = true;
}

/* Frees the keys and keeps no more. The counts stay valid. */
static void crowd(struct ranks *r)
{
    rank_pieces_free(r->kept);
    r->kept = NULL;
    r->kept_bytes = 0;
    r->crowded = true;
}

bool ranks_can_count(struct ranks *r)
{
    const struct rank_parts *asked = r->asked;
    if (r->count || r->lost)
        return r->count;
    r->count = calloc(1, asked->bins * sizeof *r->count +
                             asked->parts * sizeof *r->reach);
    if (!r->count) {
        lose(r);
        return false;
    }
    r->reach = (struct rank_reach *)(r->count + asked->bins);
    for (size_t i = 0; i < asked->parts; i++)
        r->reach[i].least = UINT64_MAX;
    return true;
}

void *ranks_room(struct ranks *r, size_t n, size_t size)
{
    struct rank_piece *piece = r->kept;
    if (piece && piece->room - piece->n >= n)
        return (char *)rank_keys(piece) + piece->n * size;
    size_t bytes = piece ? 2 * piece->bytes : PIECE_LEAST;
    bytes = bytes < PIECE_MOST ? bytes : PIECE_MOST;
    if (bytes < sizeof *piece + n * size)
        bytes = sizeof *piece + n * size;
    if (r->lost || r->crowded)
        return NULL;
    const bool fits = !r->asked->covers || r->kept_bytes < r->asked->room;
    piece = fits && memory_take(bytes) ? malloc(bytes) : NULL;
    if (!piece) {
        (r->asked->covers ? crowd : lose)(r);
        return NULL;
    }
    r->kept_bytes += bytes;
    *piece =
        (struct rank_piece){r->kept, 0, (bytes - sizeof *piece) / size, bytes};
    r->kept = piece;
    return rank_keys(piece);
}

/* The greatest f64 that is not greater than the integer. */
static double floor_of(struct wide_integer x)
{
    double value = (double)x.magnitude;
    value = x.negative ? -value : value;
    if (wide_compare(&x, value) >= 0)
        return value;
    const uint64_t bits = bits_of_double(value);
    return double_of_bits(x.negative ? bits + 1 : bits - 1);
}

static bool grow_wides(struct rank_wides *w)
{
    const size_t room = w->room ? 2 * w->room : WIDES_LEAST;
    struct rank_wide *at = NULL;
    if (!memory_take((room - w->room) * sizeof *at))
        return false;
    at = realloc(w->at, room * sizeof *at);
    if (!at) {
        memory_give((room - w->room) * sizeof *at);
        return false;
    }
    w->at = at;
    w->room = room;
    return true;
}

static void add_wide(struct ranks *r, struct rank_wide x)
{
    struct rank_wides *w = &r->wides;
    if (r->lost)
        return;
    if (w->n == w->room && !grow_wides(w)) {
        lose(r);
        return;
    }
    w->at[w->n++] = x;
}

uint64_t ranks_wide_key(struct wide_integer x)
{
    return rank_key(DTYPE_f64, bits_of_double(floor_of(x)));
}

void ranks_add_wide(struct ranks *r, struct wide_integer x)
{
    if (r->asked && r->asked->takes_wides)
        add_wide(r, (struct rank_wide){ranks_wide_key(x), x});
}

static void merge_counts(struct ranks *into, struct ranks *from)
{
    const struct rank_parts *asked = from->asked;
    if (!into->count) {
        into->count = from->count;
        into->reach = from->reach;
        from->count = NULL;
        return;
    }
    for (size_t i = 0; i < asked->bins; i++)
        into->count[i] += from->count[i];
    for (size_t i = 0; i < asked->parts; i++) {
        struct rank_reach *a = &into->reach[i], *b = &from->reach[i];
        a->least = b->least < a->least ? b->least : a->least;
        a->greatest = b->greatest > a->greatest ? b->greatest : a->greatest;
    }
}

/* The newest piece stays first, since only that one has room. */
static void merge_pieces(struct ranks *into, struct ranks *from)
{
    struct rank_piece **end = &from->kept;
    while (*end)
        end = &(*end)->next;
    *end = into->kept;
    into->kept = from->kept;
    into->kept_bytes += from->kept_bytes;
    from->kept = NULL;
    from->kept_bytes = 0;
}

void ranks_merge(struct ranks *into, struct ranks *from)
{
    if (!into->asked)
        into->asked = from->asked;
    if (from->lost && !into->lost)
        lose(into);
    if (into->lost)
        return;
    if (from->count)
        merge_counts(into, from);
    if (from->crowded || into->crowded)
        crowd(into);
    else if (from->kept)
        merge_pieces(into, from);
    for (size_t i = 0; i < from->wides.n; i++)
        add_wide(into, from->wides.at[i]);
}

uint64_t ranks_numbers(const struct ranks *r)
{
    uint64_t n = r->wides.n;
    if (r->asked && r->asked->covers)
        return n + (r->count ? r->count[r->asked->parts - 1] : 0);
    for (const struct rank_piece *p = r->kept; p; p = p->next)
        n += p->n;
    for (size_t i = 0; r->count && i < r->asked->parts; i++) {
        const struct rank_part *part = &r->asked->part[i];
        for (uint32_t bin = 0; bin < part->bins; bin++)
            n += r->count[part->first + bin];
    }
    return n;
}

static unsigned bits_of(enum dtype dtype)
{
    return 8 * dtype_info(dtype)->size;
}

/* The bits of +Inf. */
static uint64_t infinity_of(enum dtype dtype)
{
    return dtype == DTYPE_f64    ? INF_BITS(f64)
           : dtype == DTYPE_f32  ? INF_BITS(f32)
           : dtype == DTYPE_bf16 ? INF_BITS(bf16)
                                 : INF_BITS(f16);
}

enum dtype rank_keys_dtype(enum dtype dtype)
{
    static const enum dtype of[] = {
        [1] = DTYPE_u8, [2] = DTYPE_u16, [4] = DTYPE_u32, [8] = DTYPE_u64};
    return of[dtype_info(dtype)->size];
}

uint64_t rank_key(enum dtype dtype, uint64_t bits)
{
    const uint64_t sign = 1ull << (bits_of(dtype) - 1), all = 2 * sign - 1;
    if (dtype_is_float(dtype))
        return bits & sign ? ~bits & all : bits | sign;
    return dtype_is_signed(dtype) ? (bits & all) ^ sign : bits & all;
}

uint64_t rank_bits(enum dtype dtype, uint64_t key)
{
    const uint64_t sign = 1ull << (bits_of(dtype) - 1), all = 2 * sign - 1;
    if (dtype_is_float(dtype))
        return key & sign ? key ^ sign : ~key & all;
    return dtype_is_signed(dtype) ? key ^ sign : key;
}

uint64_t rank_least_key(enum dtype dtype)
{
    const uint64_t sign = 1ull << (bits_of(dtype) - 1);
    return dtype_is_float(dtype) ? rank_key(dtype, infinity_of(dtype) | sign)
                                 : 0;
}

uint64_t rank_greatest_key(enum dtype dtype)
{
    const uint64_t sign = 1ull << (bits_of(dtype) - 1);
    return dtype_is_float(dtype) ? rank_key(dtype, infinity_of(dtype))
                                 : 2 * sign - 1;
}
