/* SPDX-License-Identifier: MIT */
/*
 * The kernels' launchers, a C header: what the CUDA backend knows of them.
 *
 * A chunk's monoids leave their results in one struct gpu_result in device
 * memory, cleared to zero bytes before the first of them runs; zero is the
 * identity of everything in it. The host makes states of it.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/state.h"

struct gpu_count {
    uint64_t nan, inf, nonzero;
    uint64_t first_nan; /* ~ of the index, so that the first is the greatest */
};

/*
 * Float and integer sums alike: several sums in limb[], which blocks take in
 * turn, since what they add to one address at the same time waits in line. Each
 * has limbs as in exact_add_limbs and, after them, a count that is not 0 where
 * an addend was neither -0 nor NaN, which integers leave.
 */
enum { GPU_LIMBS = 320, GPU_SUMS_MAX = 8 };

struct gpu_sum {
    int64_t limb[GPU_LIMBS] __attribute__((aligned(128)));
    uint64_t nan, plus_inf, minus_inf;
};

/* From one sum of so many limbs to the next, a multiple of 128 bytes, and how
 * many there are. */
#define GPU_SUM_STRIDE(limbs) (((limbs) + 1 + 15) / 16 * 16)
#define GPU_SUMS(limbs)                               \
    (GPU_LIMBS / GPU_SUM_STRIDE(limbs) < GPU_SUMS_MAX \
         ? GPU_LIMBS / GPU_SUM_STRIDE(limbs)          \
         : GPU_SUMS_MAX)

struct gpu_prod {
    uint64_t zeros, infs, nans;
    struct prod_integer integer; /* integers: written by the last block */
};

enum {
    /* Grids never have more blocks. */
    GPU_BLOCKS_MAX = 4096,
};

/*
 * Extremes. Elements of up to 32 bits, but where there are too many of them
 * (gpu_extrema_packed): packed[i][0], for the least, has from the top on the
 * key, in as many bits as an element has, the index, and whether it is -0; all
 * inverted, so that the greatest word is of the least key and the first index.
 * packed[i][1] is for the greatest, its key inverted once more. 0: no number.
 * Keys are unsigned, one for both zeros. Blocks take the rows in turn. Of other
 * elements: found, written by the last block.
 */
struct gpu_extrema {
    uint64_t nans, first_nan;          /* ~ of the index; 0: none */
    uint64_t packed[GPU_SUMS_MAX][16]; /* two, the rest apart */
    struct extremum found[2];
};

/* Indexes in the packed words have 31 bits and more; those of a tile that is
 * not whole may pass n. */
HD int gpu_extrema_packed(size_t size, size_t n)
{
    return size < 4 || (size == 4 && n <= (size_t)1 << 30);
}

struct gpu_result {
    unsigned ticket[MONOIDS_END]; /* blocks that are done */
    struct gpu_count count;
    struct gpu_sum sum[3];         /* by enum exact_map */
    struct gpu_extrema extrema[2]; /* of values, of magnitudes */
    struct gpu_prod prod;
};

/* Of a column's cells of text. */
struct gpu_csv_column {
    unsigned used, missing;
};

/* Columns of the same rows, one launch for all of them. Column c begins at
 * [c * pitch], in `value` where all of its rows are used, else in `dense`; each
 * is aligned to 16 bytes. */
struct gpu_columns {
    unsigned count; /* of columns */
    unsigned rows;
    size_t pitch;
    const void *value, *dense;
    const uint32_t *row_of;             /* of the values in `dense` */
    const struct gpu_csv_column *cells; /* [count] */
};

/* What a launch works on. All pointers are to device memory. */
struct gpu_chunk {
    const void *data; /* n elements, aligned to 16 bytes */
    size_t n;
    struct gpu_result *result;  /* of columns: [columns.count] */
    void *scratch;              /* gpu_scratch_bytes(columns.count) */
    struct prod_node *node;     /* float products: one a leaf begun */
    struct gpu_columns columns; /* instead of data where its count is not 0 */
};

/* The monoids that have kernels. The host steps the others. */
#define GPU_MONOIDS                                               \
    (MONOID_BIT(count) | MONOID_BIT(sum) | MONOID_BIT(sumabs) |   \
     MONOID_BIT(sumsq) | MONOID_BIT(prod) | MONOID_BIT(extrema) | \
     MONOID_BIT(absextrema))

/* A part for each monoid, which may run at the same time: room for each block
 * of the grid. */
static inline size_t gpu_scratch_part(unsigned columns)
{
    return (columns > GPU_BLOCKS_MAX ? columns : GPU_BLOCKS_MAX) *
           sizeof(struct extrema);
}
static inline size_t gpu_scratch_bytes(unsigned columns)
{
    return MONOIDS_END * gpu_scratch_part(columns);
}

/* States in device memory, laid out as in a bank of struct states. */
struct gpu_states {
    char *bank[MONOIDS_END]; /* NULL: not kept */
    size_t size[MONOIDS_END];
};

/* Makes n elements of a stored type, at a multiple of 16 bytes, those of the
 * type that it is computed as. */
EXTERN_C cudaError_t gpu_widen(enum dtype stored, const void *from, size_t n,
                               void *to, cudaStream_t stream);

/* Starts the kernels of a set of GPU_MONOIDS over the chunk. Indexes in a
 * result are those in the chunk, or in the column. */
EXTERN_C cudaError_t gpu_launch(unsigned monoids, enum dtype dtype,
                                const struct gpu_chunk *chunk,
                                cudaStream_t stream);

/* Adds the results of columns to their states, and clears what the next launch
 * adds to. The positions are rows, added to `first`. A warp for each monoid of
 * each column. */
EXTERN_C cudaError_t gpu_settle(unsigned monoids, enum dtype dtype,
                                const struct gpu_chunk *chunk, uint64_t first,
                                const struct gpu_states *states,
                                cudaStream_t stream);

/* Fails where the build holds no code for the current device. */
EXTERN_C cudaError_t gpu_check_image(void);
