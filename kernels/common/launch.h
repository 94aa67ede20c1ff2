/* SPDX-License-Identifier: MIT */
/*
 * The launchers of the kernels: the C interface between the CUDA backend and
 * kernels/. They work on the calling thread's current device and return without
 * waiting for it.
 *
 * The kernels of all monoids add a chunk's results to one struct gpu_result in
 * device memory. It must hold zero bytes before the first kernel runs: zero is
 * the identity of every field. The caller clears it before each chunk of
 * elements and turns it into states on the host. For columns, gpu_settle does
 * both on the device; the caller clears only before the first chunk.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/common/sums.h"
#include "reduce/state.h"

struct gpu_count {
    uint64_t nan, inf, nonzero;
    /* ~index, so that atomicMax keeps the first; 0: no NaN */
    uint64_t first_nan;
};

struct gpu_prod {
    uint64_t zeros, infs, nans;  /* only floats */
    struct prod_integer integer; /* only integers; the last block writes it */
};

enum {
    /* The most blocks of a grid over elements. A grid over columns has at most
     * as many, or one for each column. */
    GPU_BLOCKS_MAX = 4096,
};

/*
 * Extremes, in one of two forms.
 *
 * Packed words, where gpu_extrema_packed is true. Each row packed[i] has a word
 * for the least element, [0], and one for the greatest, [1]. From its top bit
 * down, a word holds the key in as many bits as an element has, the index, and
 * a bit that is set for -0. All bits are inverted, so that the greatest word
 * has the least key and, among equal keys, the first index; in [1], the key is
 * inverted once more. A word of 0 means that no element is a number. Keys are
 * unsigned, and both zeros have the same key. Blocks take the rows in turn.
 *
 * Otherwise `found`, which the last block writes.
 */
struct gpu_extrema {
    uint64_t nans, first_nan;          /* first_nan: ~index, or 0: no NaN */
    uint64_t packed[GPU_SUMS_MAX][16]; /* the rest of a row is padding */
    struct extremum found[2];
};

/* Whether the extremes of n elements of `size` bytes are packed words. An index
 * has at least 31 bits there; in an incomplete tile it may exceed n. */
HD int gpu_extrema_packed(size_t size, size_t n)
{
    return size < 4 || (size == 4 && n <= (size_t)1 << 30);
}

struct gpu_result {
    unsigned ticket[MONOIDS_END]; /* blocks that ended; see last_block */
    struct gpu_count count;
    struct gpu_sum sum[3];         /* [enum exact_map] */
    struct gpu_extrema extrema[2]; /* [0] of values, [1] of magnitudes */
    struct gpu_prod prod;
};

/* The numbers of a column's cells that have a number, and that are missing. */
struct gpu_csv_column {
    unsigned used, missing;
};

/* The columns of a chunk of text; one launch reduces all of them. The values of
 * column c begin at element c * pitch, in `value` if all of its rows have a
 * number, else in `dense`. Each column is aligned to 16 bytes. */
struct gpu_columns {
    unsigned count; /* columns */
    unsigned rows;
    size_t pitch;
    const void *value, *dense;
    const uint32_t *row_of;             /* [c * pitch + i]: of dense value i */
    const struct gpu_csv_column *cells; /* [count] */
};

/* A launch reads and writes these. All pointers are to device memory, which the
 * caller keeps. */
struct gpu_chunk {
    const void *data; /* n elements, aligned to 16 bytes */
    size_t n;
    struct gpu_result *result; /* one, or [columns.count] */
    void *scratch; /* gpu_scratch_bytes(columns.count), of this chunk alone */
    struct prod_node *node;     /* float products: [leaves] */
    struct gpu_columns columns; /* used instead of data unless count is 0 */
};

/* The monoids that have kernels. The host steps the others. */
#define GPU_MONOIDS                                               \
    (MONOID_BIT(count) | MONOID_BIT(sum) | MONOID_BIT(sumabs) |   \
     MONOID_BIT(sumsq) | MONOID_BIT(prod) | MONOID_BIT(extrema) | \
     MONOID_BIT(absextrema))

/* Bytes of scratch memory. Each monoid has a part of its own, with room for a
 * record of each block of the grid, so that kernels may overlap. */
static inline size_t gpu_scratch_part(unsigned columns)
{
    return (columns > GPU_BLOCKS_MAX ? columns : GPU_BLOCKS_MAX) *
           sizeof(struct extrema);
}
static inline size_t gpu_scratch_bytes(unsigned columns)
{
    return MONOIDS_END * gpu_scratch_part(columns);
}

/* States in device memory; a bank is laid out as in struct states. */
struct gpu_states {
    char *bank[MONOIDS_END]; /* [monoid]; NULL: not kept */
    size_t size[MONOIDS_END];
};

/* Starts a kernel that converts n elements of a stored type to the type in
 * which they are computed. Both pointers are to device memory and aligned to 16
 * bytes. */
EXTERN_C cudaError_t gpu_widen(enum dtype stored, const void *from, size_t n,
                               void *to, cudaStream_t stream);

/* Starts kernels on the stream for a set of monoids, a subset of GPU_MONOIDS;
 * they add to chunk->result. Indexes in a result count from the start of the
 * chunk or, over columns, of the column's values. */
EXTERN_C cudaError_t gpu_launch(unsigned monoids, enum dtype dtype,
                                const struct gpu_chunk *chunk,
                                cudaStream_t stream);

/* Starts kernels on the stream that merge the results of columns into their
 * states and clear the fields to which the next launch adds. A position in the
 * states is `first` plus the row. Each monoid of each column takes a warp. */
EXTERN_C cudaError_t gpu_settle(unsigned monoids, enum dtype dtype,
                                const struct gpu_chunk *chunk, uint64_t first,
                                const struct gpu_states *states,
                                cudaStream_t stream);

/* Fails if the build holds no code for the current device. */
EXTERN_C cudaError_t gpu_check_image(void);
