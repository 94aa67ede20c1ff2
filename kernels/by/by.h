/* SPDX-License-Identifier: MIT */
/*
 * Groups by key on the device: the C interface.
 *
 * A dictionary numbers the keys of a run in the order in which rows have them.
 * Each key has bins, to which the columns of its rows are added: counts, sums
 * of 128 bits in limbs of 32, and extremes. The device adds integers only, so
 * the order of the threads does not matter. A float that such a sum cannot hold
 * (by/sum.h: very large and very small ones, -0, Inf and NaN) is odd: the
 * device lists it, and the host adds it to every part of its bin.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/hd.h"

enum {
    GPU_BY_KEYS = 1 << 16, /* most keys of a dictionary */
    GPU_BY_SLOTS = 1 << 18,
    GPU_BY_WORDS = 8, /* most words of a key, of 8 bytes each */
    GPU_BY_BYTES = 8 * GPU_BY_WORDS,
    /* The first keys, which are usually the most frequent, have several bins
     * each. Threads add to different ones, because additions to the same
     * address are done one after the other. */
    GPU_BY_HOT = 256,
    GPU_BY_COPIES = 8,
    GPU_BY_BINS = GPU_BY_KEYS + GPU_BY_HOT * (GPU_BY_COPIES - 1),
    /* The number of a row without one. */
    GPU_BY_NONE = -1,
    /* Bits of a limb. */
    GPU_BY_LIMB = 32,
    GPU_BY_LIMBS = 4,        /* of a sum */
    GPU_BY_SQUARE_LIMBS = 9, /* of a sum of squares */
    /* Rows after which bins must be emptied: a limb has room for twice as
     * many additions. */
    GPU_BY_ROWS_MAX = 1 << 30,
};

/* A key as by/key.h makes it, filled up with zeros. */
struct gpu_by_key {
    uint64_t word[GPU_BY_WORDS];
    uint64_t bytes;
};

/* A dictionary in device memory, which the caller sets to zeros at first. */
struct gpu_by_dictionary {
    /* [GPU_BY_SLOTS]: 0: free; 1: a thread is writing the key; else the upper
     * half of its hash, and 2 + its number. */
    uint64_t *slot;
    struct gpu_by_key *key; /* [GPU_BY_KEYS], by number */
    unsigned *n; /* numbers requested so far; may exceed GPU_BY_KEYS */
};

/* The parts that the bin of a column has. */
struct gpu_by_set {
    bool sums, zeros, extremes;
    bool squares; /* only of f64 */
};

/* The words of a bin, for its rows and for each column. A column has only the
 * words of its parts (struct gpu_by_set), without gaps. */
enum gpu_by_row_word {
    GPU_BY_ROWS,  /* how many */
    GPU_BY_FIRST, /* the position of the first row */
    GPU_BY_ROW_WORDS
};
enum gpu_by_extreme_word {
    GPU_BY_MIN,
    GPU_BY_MIN_BEFORE, /* GPU_BY_MIN before the current chunk */
    GPU_BY_MIN_AT,     /* the position of the first such value */
    GPU_BY_MAX,        /* complements of keys: here, too, the least word wins */
    GPU_BY_MAX_BEFORE,
    GPU_BY_MAX_AT,
    GPU_BY_EXTREME_WORDS
};

/* The indexes of a column's words. Parts that the bin does not have take no
 * words. */
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
    uint64_t first; /* the position of row 0; greater than in earlier chunks */
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

/* Empties the bins. */
EXTERN_C cudaError_t gpu_by_clear(uint64_t *bins, struct gpu_by_set set,
                                  unsigned columns, cudaStream_t stream);

/* Sets number[i], i < n, to the number of the key word[i], and *unkeyed to
 * whether there is no room for some key. All memory is on the device. */
EXTERN_C cudaError_t gpu_by_find(const struct gpu_by_dictionary *d,
                                 const uint64_t *word, unsigned n,
                                 uint32_t *number, unsigned *unkeyed,
                                 cudaStream_t stream);

/* Adds a chunk to its bins; no other stream may add to them meanwhile. Sets
 * `odds` and lists odd values. */
EXTERN_C cudaError_t gpu_by_add(const struct gpu_by_chunk *chunk,
                                cudaStream_t stream);
