/* SPDX-License-Identifier: MIT */
/*
 * Reductions along an axis on the GPU: the C interface of this folder, for a
 * backend.
 *
 * An array in device memory has the shape (outer, length, inner), and `length`
 * is reduced. Element (o, l, i) is at (o * length + l) * inner + i; result
 * (o, i) is at o * inner + i. Neighbouring axes that are all kept, or all
 * reduced, count as one.
 *
 * Results are narrow, not exact states. The kernels list each result that may
 * differ from that of an exact state; the caller computes these from the data.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/hd.h"

struct axis_shape {
    uint64_t outer, length, inner;
};

/*
 * The ways to read an array:
 *
 * TILES    a block reads a tile of whole slabs (length * inner elements) into
 *          shared memory, and some lanes reduce each result
 * ROWS     inner is 1; a warp or a block reduces a row or a piece of one
 * COLUMNS  each lane stays in a column and steps over the rows
 * SHALLOW  few rows; each lane loads all rows of some columns
 */
enum axis_form {
    AXIS_TILES,
    AXIS_ROWS,
    AXIS_COLUMNS,
    AXIS_SHALLOW,
    AXIS_FORMS_END
};

enum {
    AXIS_THREADS = 256,
    AXIS_LINE = 128, /* bytes of a line of memory */
    /* TILES: threads of a block; vectors of 16 bytes of a tile. A block has two
     * tiles, so six blocks fit into the shared memory of sm_90. */
    AXIS_TILE_THREADS = 128,
    AXIS_TILE_VECTORS = 9 * AXIS_TILE_THREADS,
    AXIS_SHALLOW_ROWS = 8,   /* SHALLOW: at most */
    AXIS_COLUMN_ROWS = 8,    /* COLUMNS: loads of 8 bytes in flight, a lane */
    AXIS_PARTIAL_BYTES = 32, /* of an accumulator, at most */
};

/* The choices of a plan. axis_tuning_default makes those that measured best. */
struct axis_tuning {
    int form; /* the enum axis_form to use where possible; -1: the plan's */
    unsigned multiprocessors;
    unsigned resident;         /* blocks of a multiprocessor */
    unsigned waves;            /* ROWS: grids of resident blocks */
    unsigned column_waves;     /* COLUMNS: the same */
    unsigned rows_bytes;       /* rows from here on are for ROWS */
    unsigned plain_rows_bytes; /* the same for plain sums (sums.cuh) */
    unsigned warp_bytes; /* and from here on for blocks, below for warps */
    unsigned
        many_warp_bytes; /* the same where rows fill all waves with warps */
    unsigned piece_bytes;
    unsigned column_rows; /* COLUMNS: rows of a lane, at least */
    int lanes_log;        /* TILES: log2 of a result's lanes, or -1 */
};

struct axis_plan {
    enum axis_form form;
    uint32_t blocks, threads; /* of the grid, in x, and of a block */
    uint64_t outputs, slab, elements;
    /* Partial results of each result, which are merged. Partial p of result
     * (o, i) is at (o * partials + p) * inner + i. */
    uint64_t partials;
    bool is_part; /* results stay partial, even if each has only one */

    /* TILES: results of a tile; log2 of the lanes for each; magic: x / inner is
     * the upper half of x * magic, where that is not 0. Slabs are slab_step
     * elements apart in the tile. Where a slab is whole vectors, slab_vectors
     * of them, `pad` more follow it; slab_magic divides by slab_vectors. Where
     * inner is 1, lanes then read by_vectors. */
    bool by_vectors;
    bool short_rows; /* results of up to 8 elements, with a lane for each */
    uint64_t tiles;
    uint32_t tile_outputs, lanes_log, magic;
    uint32_t slab_step, slab_vectors, pad, slab_magic;

    /* ROWS: threads of a piece, pieces of a row, elements of a piece. */
    uint32_t team;
    uint64_t piece;

    /* COLUMNS: columns of a lane, columns by that, lanes of a slab, which are a
     * multiple of those. SHALLOW: columns of a lane, and rows for which it has
     * room: 2, 4 or 8. Both: blocks of a slab. */
    uint32_t pack, rows, slab_blocks;
    uint64_t words, lanes;
};

EXTERN_C struct axis_tuning axis_tuning_default(unsigned multiprocessors);

/* Plans for elements of `size` bytes, 1, 2, 4 or 8. False if there is no plan:
 * there is nothing to reduce, the axis has 2^32 - 1 or more elements, the array
 * 2^58 or more, or the grid would be too large. */
EXTERN_C bool axis_plan(struct axis_plan *plan, const struct axis_shape *shape,
                        unsigned size, const struct axis_tuning *tuning);

/* The same for a job that reduces a part of each result. */
EXTERN_C bool axis_plan_part(struct axis_plan *plan,
                             const struct axis_shape *shape, unsigned size,
                             const struct axis_tuning *tuning);

/* The plan of gpu_axis_merge for `outputs` results of several parts each. The
 * partial results of part p start at p * outputs. */
EXTERN_C struct axis_plan axis_plan_merge(uint64_t outputs, uint64_t parts);

/* Bytes of device memory for partial results. 0 if the plan has none and the
 * job does not reduce parts. */
EXTERN_C size_t axis_scratch_bytes(const struct axis_plan *plan);

/* Unsigned integers have SUMABS, SUMSQ and absolute extremes, too. */
enum axis_monoid {
    AXIS_SUM,
    AXIS_SUMABS,
    AXIS_SUMSQ,
    AXIS_COUNT,
    AXIS_EXTREMA,
    AXIS_ABSEXTREMA,
    AXIS_MONOIDS_END
};

/* The index of a result that has no number, or no NaN. */
#define AXIS_NONE UINT32_MAX

/* Arrays in device memory, owned by the caller, with one element for each
 * result. NULL: not wanted. */
struct axis_results {
    double *value; /* sums of floats */
    /* Exact sums of integers in two's complement: int64_t or, if
     * axis_sum_is_wide, two uint64_t, the low half first, aligned to 16 bytes.
     */
    void *integer;
    uint32_t *nan, *inf, *nonzero; /* counts, NaN and Inf are nonzero */
    /* Extremes of the elements that are not NaN, in the data's type (unsigned
     * for magnitudes of integers); the index along the axis of the first; the
     * index of the first NaN. */
    void *least, *greatest;
    uint32_t *least_at, *greatest_at, *first_nan;
    /* Sums of floats: the numbers of doubtful results, in any order, as far as
     * there is room; their count, which the caller sets to 0 first. */
    uint64_t *doubtful, *doubtful_count;
    uint64_t doubtful_room;
};

struct axis_job {
    const void *data; /* aligned to 16 bytes */
    struct axis_shape shape;
    struct axis_plan plan;
    struct axis_results results;
    void *scratch; /* axis_scratch_bytes */
    /* For a job that reduces a part of each result, from index `first` along
     * the axis on: device memory of AXIS_PARTIAL_BYTES for each result, which
     * gets the partial results. With `adds` they are added to those that it
     * has. `results` gets nothing. The plan must be axis_plan_part's. NULL: the
     * job reduces whole results. */
    void *parts;
    bool adds;
    uint32_t first;
    double divisor; /* sums of floats: 0, or of a mean, the length */
    bool skip_nan;  /* sums of floats are those of what is not NaN; means of
                       such data are doubtful */
};

/* Whether a sum of these integers has 128 bits. */
HD_CONSTANT bool axis_sum_is_wide(enum axis_monoid monoid, enum dtype dtype)
{
    return dtype_size(dtype) == 8 ||
           (dtype_size(dtype) == 4 && monoid == AXIS_SUMSQ);
}

/* Whether there are kernels. Squares of 64-bit integers have none. */
HD_CONSTANT bool axis_is_supported(enum axis_monoid monoid, enum dtype dtype)
{
    return monoid != AXIS_SUMSQ || dtype_is_float(dtype) ||
           dtype_size(dtype) < 8;
}
