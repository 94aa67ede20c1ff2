/* SPDX-License-Identifier: MIT */
/*
 * Groups by key on the device: the C interface.
 *
 * A dictionary numbers the keys of a run as their rows come. Each key has bins,
 * in which the columns of its rows are added: counts, sums of 128 bits in limbs
 * of 32, and extremes. Whole numbers alone are added, so that the order in
 * which threads come does not matter. A float that such a sum does not hold
 * (by/sum.h: very large and very small ones, -0, Inf and NaN) is odd: it is
 * listed, and the host adds it to every part of its bin.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/hd.h"

enum {
    GPU_BY_KEYS = 1 << 16, /* most keys of a dictionary, ... */
    GPU_BY_SLOTS = 1 << 18,
    GPU_BY_WORDS = 8, /* ... and most bytes of a key */
    GPU_BY_BYTES = 8 * GPU_BY_WORDS,
    /* The first keys, which are mostly the commonest, have several bins each,
     * between which threads are shared: additions to one address run one after
     * the other. */
    GPU_BY_HOT = 256,
    GPU_BY_COPIES = 8,
    GPU_BY_BINS = GPU_BY_KEYS + GPU_BY_HOT * (GPU_BY_COPIES - 1),
    /* The number of a row without one. */
    GPU_BY_NONE = -1,
    /* Bits of a limb. */
    GPU_BY_LIMB = 32,
    GPU_BY_LIMBS = 4,        /* of a sum, ... */
    GPU_BY_SQUARE_LIMBS = 9, /* ... and of one of squares */
    /* Rows after which bins must be emptied: a limb has room for twice as
     * many additions. */
    GPU_BY_ROWS_MAX = 1 << 30,
};

/* A key as by/key.h makes it, filled up with zeros. */
struct gpu_by_key {
    uint64_t word[GPU_BY_WORDS];
    uint64_t bytes;
};

/* Device memory. Begins as zeros. */
struct gpu_by_dictionary {
    /* [GPU_BY_SLOTS]: 0: free; 1: a thread is writing the key; else the upper
     * half of its hash, and 2 + its number. */
    uint64_t *slot;
    struct gpu_by_key *key; /* [GPU_BY_KEYS], by number */
    unsigned *n; /* numbers that were asked for: may exceed GPU_BY_KEYS */
};

/* Which parts the bin of a column has. */
struct gpu_by_set {
    bool sums, zeros, extremes;
    bool squares; /* only of f64 */
};

/* Words of a bin: of its rows, and of a column. A column has only the words of
 * the parts that gpu_by_set names, without gaps. */
enum gpu_by_row_word {
    GPU_BY_ROWS,  /* how many */
    GPU_BY_FIRST, /* the position of the first row */
    GPU_BY_ROW_WORDS
};
enum gpu_by_extreme_word {
    GPU_BY_MIN,
    GPU_BY_MIN_BEFORE, /* as it was after the chunk before */
    GPU_BY_MIN_AT,     /* the position of the first such value */
    GPU_BY_MAX,        /* complements, so that the least one wins here, too */
    GPU_BY_MAX_BEFORE,
    GPU_BY_MAX_AT,
    GPU_BY_EXTREME_WORDS
};

/* Where the words of a column are; those of what is not asked for nowhere. */
struct gpu_by_places {
    unsigned absent; /* rows without a value that was added */
    unsigned sum;    /* GPU_BY_LIMBS words, signed */
    unsigned zeros;
    unsigned extremes; /* GPU_BY_EXTREME_WORDS */
    unsigned squares;  /* GPU_BY_SQUARE_LIMBS words */
    unsigned words;    /* in all */
};

HD struct gpu_by_places gpu_by_places(struct gpu_by_set set)
{
    struct gpu_by_places p;
    p.absent = 0;
    p.sum = 1;
    p.zeros = p.sum + (set.sums ? GPU_BY_LIMBS : 0);
    p.extremes = p.zeros + (set.zeros ? 1 : 0);
    p.squares = p.extremes + (set.extremes ? GPU_BY_EXTREME_WORDS : 0);
    p.words = p.squares + (set.squares ? GPU_BY_SQUARE_LIMBS : 0);
    return p;
}

/* Bin number `copy` of a key; one that is not hot has one bin. */
HD unsigned gpu_by_bin(unsigned key, unsigned copy)
{
    return key < GPU_BY_HOT ? key * GPU_BY_COPIES + copy
                            : key + GPU_BY_HOT * (GPU_BY_COPIES - 1);
}

HD unsigned gpu_by_copies(unsigned key)
{
    return key < GPU_BY_HOT ? GPU_BY_COPIES : 1;
}

/* Bytes of the bins of so many columns. Word w of the rows is at
 * [w * GPU_BY_BINS + bin]; those of the columns follow, column by column. */
static inline size_t gpu_by_bytes(struct gpu_by_set set, unsigned columns)
{
    const size_t words =
        GPU_BY_ROW_WORDS + (size_t)columns * gpu_by_places(set).words;
    return words * GPU_BY_BINS * sizeof(uint64_t);
}

/* A chunk whose rows have numbers; all arrays are on the device. */
struct gpu_by_chunk {
    enum dtype dtype; /* f32, f64 or an integer */
    struct gpu_by_set set;
    unsigned columns, rows;
    uint64_t first; /* the position of row 0; those of later chunks are more */
    const uint32_t *key; /* [rows] */
    size_t pitch;        /* from one column to the next, in rows */
    const void *value;   /* [columns][pitch] */
    /* [columns][pitch / 32]: bit r % 32 of [r / 32]: row r has a value. */
    const uint32_t *used;
    uint64_t *bins; /* gpu_by_bytes */
    /* Odd values of floats, in no order: how many, [columns]; the values and
     * their rows, [columns][pitch]. */
    unsigned *odds;
    void *odd;
    uint32_t *odd_row;
};

/* Sets bins to those of no rows. */
EXTERN_C cudaError_t gpu_by_clear(uint64_t *bins, struct gpu_by_set set,
                                  unsigned columns, cudaStream_t stream);

/* Sets number[i] to that of the key word[i], i < n, and *unkeyed to whether
 * some key has no room; all on the device. */
EXTERN_C cudaError_t gpu_by_find(const struct gpu_by_dictionary *d,
                                 const uint64_t *word, unsigned n,
                                 uint32_t *number, unsigned *unkeyed,
                                 cudaStream_t stream);

/* Adds a chunk to bins, to which no other stream adds meanwhile. Sets `odds`
 * and lists odd values. */
EXTERN_C cudaError_t gpu_by_add(const struct gpu_by_chunk *chunk,
                                cudaStream_t stream);
