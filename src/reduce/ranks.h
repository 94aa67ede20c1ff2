/* SPDX-License-Identifier: MIT */
/*
 * The state of a group in one pass that looks for the values of given ranks,
 * for quantiles.
 *
 * Values are compared by keys, unsigned integers of the type's width that order
 * as the values do. -0 comes right before 0, and NaN lie outside the
 * infinities. A pass looks at ranges of keys, the parts. It either counts the
 * values of each part in bins of 2^shift keys, or keeps their keys.
 * reduce/search.h then chooses narrower parts for the next pass.
 *
 * The kept keys grow with the data, and base/memory counts them. If memory runs
 * out, the state is lost from then on.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/wide.h"

/* A part: the keys from `low` to low + span. */
struct rank_part {
    uint64_t low, span;
    unsigned shift;
    /* count[first] to count[first + bins - 1] count the part's bins, and
     * count[first + bins] the values outside the part. bins 0: the part's keys
     * are kept instead. */
    uint32_t first, bins;
};

/* What a pass does with the values of a group. */
struct rank_parts {
    size_t parts, bins; /* bins: of all parts together */
    bool keeps;         /* keep the keys of all parts, instead of counting */
    /* The parts cover all numbers. Parts without a bin are kept, and count[i]
     * counts the numbers up to the end of part i. A state keeps at most about
     * `room` bytes of keys. */
    bool covers;
    size_t room;
    bool takes_wides;             /* keep integers that f64 cannot hold */
    const struct rank_part *part; /* [parts], ascending, disjoint */
    /* For a histogram, instead of parts: ascending keys. Bin i counts the
     * values that are not less than exactly i edges. [edges], then UINT64_MAX
     * up to the next power of two. */
    const uint64_t *edge;
    size_t edges;
};

/* What a pass does with the values of every group. Constant during the pass. */
struct rank_pass {
    const struct rank_parts *parts; /* [groups] */
    size_t bytes;                   /* of all groups' bins */
};

/* The least and the greatest key of a part, as distances from its `low`. */
struct rank_reach {
    uint64_t least, greatest;
};

/* A piece of the kept keys, owned by its state. The keys follow the struct. */
struct rank_piece {
    struct rank_piece *next;
    size_t n, room; /* keys in it, and keys that fit */
    size_t bytes;   /* of all of it, this struct included */
};

/* An integer of text that f64 cannot hold. */
struct rank_wide {
    uint64_t key; /* of the greatest f64 that is not greater */
    struct wide_integer value;
};

struct rank_wides {
    struct rank_wide *at; /* [n] */
    size_t n, room;
};

/* The value of a rank. */
struct rank_found {
    uint64_t rank, key;
    struct wide_integer wide; /* the value, if its magnitude is not 0 */
};

/* For qsort and bsearch: compares integers of 64 bits, or structs by the rank
 * that is their first member. */
int rank_compare(const void *a, const void *b);

/* The state. It owns all that it points to except `asked`. */
struct ranks {
    const struct rank_parts *asked; /* NULL: the pass does nothing */
    uint64_t *count;                /* [asked->bins]; NULL: no value so far */
    struct rank_reach *reach;       /* [asked->parts]; NULL if count is */
    struct rank_piece *kept;        /* newest piece first */
    size_t kept_bytes;              /* of all pieces */
    struct rank_wides wides;
    bool lost;    /* memory ran out */
    bool crowded; /* keys exceeded asked->room, so all are counted, none kept */
    /* Set after the last pass: [founds], by ascending rank. */
    struct rank_found *found;
    size_t founds;
    uint64_t nans;
};

/* For memory_refuse: what the memory of a lost state was for. */
#define RANKS_LOST "keeping the values whose quantiles are asked for"

void ranks_init(struct ranks *r);
void ranks_close(struct ranks *r);

/* Merges, and may take memory that `from` owns. `from` is then empty, with the
 * same `asked`. */
void ranks_merge(struct ranks *into, struct ranks *from);

/* The key of the greatest f64 that is not greater. */
uint64_t ranks_wide_key(struct wide_integer x);

/* Adds an integer that f64 cannot hold to a state of f64. */
void ranks_add_wide(struct ranks *r, struct wide_integer x);

/* For the loops: makes the bins. False: the state does not count, or is lost.
 */
bool ranks_can_count(struct ranks *r);

/* Makes room for n <= RANK_ROOM keys of `size` bytes each after those of the
 * newest piece. The caller writes them and raises the piece's n. NULL: there is
 * no room, and the state is now lost or, if the parts cover all numbers,
 * crowded. */
enum { RANK_ROOM = 512 };
void *ranks_room(struct ranks *r, size_t n, size_t size);

/* Half of the least power of two that is greater than n: the first step of a
 * binary search among n edges. */
static inline size_t rank_half(size_t n)
{
    size_t half = 1;
    while (2 * half <= n)
        half *= 2;
    return half;
}

static inline void *rank_keys(const struct rank_piece *piece)
{
    return (void *)(piece + 1);
}

/* Key number i of a piece. `size`: bytes of a key. */
static inline uint64_t rank_piece_key(const struct rank_piece *piece, size_t i,
                                      size_t size)
{
    const void *keys = rank_keys(piece);
    return size == 8   ? ((const uint64_t *)keys)[i]
           : size == 4 ? ((const uint32_t *)keys)[i]
           : size == 2 ? ((const uint16_t *)keys)[i]
                       : ((const uint8_t *)keys)[i];
}

/* How many numbers the state counted or kept, wide integers included. */
uint64_t ranks_numbers(const struct ranks *r);

void rank_pieces_free(struct rank_piece *piece);

/* The least and the greatest key of a number: those of -Inf and Inf, or of the
 * least and the greatest integer. */
uint64_t rank_least_key(enum dtype dtype);
uint64_t rank_greatest_key(enum dtype dtype);

/* The unsigned dtype of the same width. Its elements are their own keys. */
enum dtype rank_keys_dtype(enum dtype dtype);

/* The key of an element's raw bits, and the bits of a key. */
uint64_t rank_key(enum dtype dtype, uint64_t bits);
uint64_t rank_bits(enum dtype dtype, uint64_t key);
