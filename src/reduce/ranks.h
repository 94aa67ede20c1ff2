/* SPDX-License-Identifier: MIT */
/*
 * The values of given ranks, for quantiles: what one pass over the data leaves
 * of a group.
 *
 * Values are compared by keys, unsigned integers of the type's width that order
 * as the values do. -0 comes right before 0, and NaN lie outside the
 * infinities. A pass looks at ranges of keys, the parts. It either counts the
 * values of each part in bins of 2^shift keys or keeps their keys; from that
 * reduce/search.h chooses narrower parts for the next pass.
 *
 * What is kept grows with the data and is counted by base/memory. Where there
 * is no memory, the state is lost, for good, and says so.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/wide.h"

/* The keys from `low` to low + span. */
struct rank_part {
    uint64_t low, span;
    unsigned shift;
    /* The first bin and how many there are; one more counts the values outside
     * the part. 0: keys are kept. */
    uint32_t first, bins;
};

/* What a pass asks of a group. */
struct rank_parts {
    size_t parts, bins; /* all parts' bins together */
    bool keeps;         /* the keys of all parts, else none are */
    /* The parts are all numbers, in order, and some of them are kept: those
     * without a bin. count[i] is of the numbers up to the end of part i. A
     * state keeps keys up to about `room` bytes. */
    bool covers;
    size_t room;
    bool takes_wides;             /* integers that f64 cannot hold are kept */
    const struct rank_part *part; /* ascending, without a key in common */
    /* Of a histogram instead of parts: ascending keys; bin i counts the values
     * that are not less than i of them. [edges], and UINT64_MAX up to the next
     * power of two. */
    const uint64_t *edge;
    size_t edges;
};

/* What a pass asks of every group. Const while it runs. */
struct rank_pass {
    const struct rank_parts *parts; /* [groups] */
    size_t bytes;                   /* of all groups' bins */
};

/* The least and the greatest key of a part, as distances from its `low`. */
struct rank_reach {
    uint64_t least, greatest;
};

/* Keys in memory that the state owns: they follow the struct. */
struct rank_piece {
    struct rank_piece *next;
    size_t n, room; /* keys */
    size_t bytes;   /* with the struct */
};

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
    struct wide_integer wide; /* it, if its magnitude is not 0 */
};

/* The state. It owns what it points to, but for `asked`. */
struct ranks {
    const struct rank_parts *asked; /* NULL: nothing */
    uint64_t *count;                /* [asked->bins]; NULL: no value so far */
    struct rank_reach *reach;       /* [asked->parts], with count */
    struct rank_piece *kept;        /* the newest first */
    size_t kept_bytes;              /* of all pieces */
    struct rank_wides wides;
    bool lost;
    bool crowded; /* more keys than asked->room: none are kept, all counted */
    /* After the last pass: [founds], ascending. */
    struct rank_found *found;
    size_t founds;
    uint64_t nans;
};

/* What a lost state would have taken memory for. */
#define RANKS_LOST "keeping the values whose quantiles are asked for"

void ranks_init(struct ranks *r);
void ranks_close(struct ranks *r);

/* Takes what `from` owns where that saves a copy: it is left empty, and asks
 * the same. */
void ranks_merge(struct ranks *into, struct ranks *from);

/* Adds an integer beside the f64 values. */
void ranks_add_wide(struct ranks *r, struct wide_integer x);

/* For the loops: bins ready to count in, or false. */
bool ranks_can_count(struct ranks *r);

/* Room for n keys of so many bytes each behind those of the newest piece, whose
 * `n` the caller raises; NULL: there is none, so the state is lost, or crowded
 * where the parts cover all numbers. n is at most RANK_ROOM. */
enum { RANK_ROOM = 512 };
void *ranks_room(struct ranks *r, size_t n, size_t size);

/* Half of the least power of two that is greater than n: where a search among n
 * edges begins. */
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

/* How many numbers the state counted or kept, the wide ones among them. */
uint64_t ranks_numbers(const struct ranks *r);

void rank_pieces_free(struct rank_piece *piece);

/* The least and the greatest key of a number: of -Inf and Inf, or of the
 * integers. */
uint64_t rank_least_key(enum dtype dtype);
uint64_t rank_greatest_key(enum dtype dtype);

/* The unsigned type of the width: a key is its own key there. */
enum dtype rank_keys_dtype(enum dtype dtype);

/* An element's raw bits as a key, and back. */
uint64_t rank_key(enum dtype dtype, uint64_t bits);
uint64_t rank_bits(enum dtype dtype, uint64_t key);
