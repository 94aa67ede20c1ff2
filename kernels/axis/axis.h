/* SPDX-License-Identifier: MIT */
/*
 * Reductions along an axis on the GPU, a C header: what a backend knows of the
 * kernels of this folder.
 *
 * An array in device memory is (outer, length, inner): element (o, l, i) is at
 * (o * length + l) * inner + i, and result (o, i), of the elements of all l, at
 * o * inner + i. Axes that are next to each other and are all kept, or all
 * reduced, are one.
 *
 * Results are narrow. What is not certain to be what an exact state gives is
 * listed, for the caller to compute from the data in another way.
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
 * The ways to read. TILES: a block reads a tile of whole slabs (length * inner
 * elements) into shared memory, and some lanes take each result. ROWS: inner is
 * 1, and a warp or a block takes a row or a piece of it. COLUMNS: lanes stay in
 * a column each and step over rows, as far as one load of all lanes reaches.
 * SHALLOW: of a few rows, lanes load all of some columns each.
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
    /* TILES: threads of a block; vectors of 16 bytes of a tile, of which a
     * block has two: so six blocks fit into the shared memory of sm_90. */
    AXIS_TILE_THREADS = 128,
    AXIS_TILE_VECTORS = 9 * AXIS_TILE_THREADS,
    AXIS_SHALLOW_ROWS = 8,   /* SHALLOW: at most */
    AXIS_COLUMN_ROWS = 8,    /* COLUMNS: loads of 8 bytes in flight, a lane */
    AXIS_PARTIAL_BYTES = 32, /* of an accumulator, at most */
};

/* The choices of a plan. axis_tuning_default makes those that measured best. */
struct axis_tuning {
    int form; /* an enum axis_form where it is possible, or -1 */
    unsigned multiprocessors;
    unsigned resident;     /* blocks of a multiprocessor */
    unsigned waves;        /* ROWS: grids of resident blocks */
    unsigned column_waves; /* COLUMNS: the same */
    unsigned rows_bytes;   /* rows from here on are for ROWS */
    unsigned warp_bytes;   /* and from here on for blocks, below for warps */
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
    /* Each result has so many partial ones, which are merged: partial p of
     * result (o, i) is at (o * partials + p) * inner + i. */
    uint64_t partials;
    bool is_part; /* a single one stays a partial one, too */

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

    /* ROWS: threads for a piece, pieces of a row, elements of a piece. */
    uint32_t team;
    uint64_t piece;

    /* COLUMNS: columns of a lane, columns by that, lanes of a slab, which are a
     * multiple of those. SHALLOW: columns of a lane, and rows for which it has
     * room: 2, 4 or 8. Both: blocks of a slab. */
    uint32_t pack, rows, slab_blocks;
    uint64_t words, lanes;
};

EXTERN_C struct axis_tuning axis_tuning_default(unsigned multiprocessors);

/* Plans for elements of `size` bytes, 1, 2, 4 or 8. False where there is no
 * plan: nothing to reduce, 2^32 - 1 or more along the axis, 2^58 or more
 * elements, or a grid that is too large. */
EXTERN_C bool axis_plan(struct axis_plan *plan, const struct axis_shape *shape,
                        unsigned size, const struct axis_tuning *tuning);

/* The same for jobs of parts of results. */
EXTERN_C bool axis_plan_part(struct axis_plan *plan,
                             const struct axis_shape *shape, unsigned size,
                             const struct axis_tuning *tuning);

/* The plan of gpu_axis_merge: the parts of so many results, each of so many
 * parts; the partial results of part p begin at p * outputs. */
EXTERN_C struct axis_plan axis_plan_merge(uint64_t outputs, uint64_t parts);

/* Bytes of device memory that partial results need: 0 if a plan has none and
 * the job is not of parts. */
EXTERN_C size_t axis_scratch_bytes(const struct axis_plan *plan);

/* SUMABS and SUMSQ of unsigned integers, and absolute extremes of them, are
 * there, too. */
enum axis_monoid {
    AXIS_SUM,
    AXIS_SUMABS,
    AXIS_SUMSQ,
    AXIS_COUNT,
    AXIS_EXTREMA,
    AXIS_ABSEXTREMA,
    AXIS_MONOIDS_END
};

/* The index where a result has no number, or no NaN. */
#define AXIS_NONE UINT32_MAX

/* Arrays in device memory, one element for each result; NULL: not wanted. */
struct axis_results {
    double *value; /* sums of floats */
    /* Sums of integers: int64_t, or where axis_sum_is_wide two uint64_t, the
     * low half first, aligned to 16 bytes. Two's complement, exact. */
    void *integer;
    uint32_t *nan, *inf, *nonzero; /* counts, NaN and Inf are nonzero */
    /* Extremes of what is not NaN, in the data's type (magnitudes of integers:
     * unsigned), and where along the axis the first is; where the first NaN is.
     */
    void *least, *greatest;
    uint32_t *least_at, *greatest_at, *first_nan;
    /* Sums of floats: the numbers of results that are not certain, in any
     * order, as many as there is room for; how many there are, which the caller
     * sets to 0. */
    uint64_t *doubtful, *doubtful_count;
    uint64_t doubtful_room;
};

struct axis_job {
    const void *data; /* aligned to 16 bytes */
    struct axis_shape shape;
    struct axis_plan plan;
    struct axis_results results;
    void *scratch; /* axis_scratch_bytes */
    /* NULL, or device memory of AXIS_PARTIAL_BYTES for each result, where the
     * job is a part of each result, from index `first` along the axis on: it
     * gets the partial results, added to those before if `adds`, and
     * `results` gets nothing. The plan must be axis_plan_part's. */
    void *parts;
    bool adds;
    uint32_t first;
    double divisor; /* sums of floats: 0, or of a mean, the length */
    bool skip_nan;  /* sums of floats are those of what is not NaN; means of
                       such data are doubtful */
};

/* Of integers. */
HD_CONSTANT bool axis_sum_is_wide(enum axis_monoid monoid, enum dtype dtype)
{
    return dtype_size(dtype) == 8 ||
           (dtype_size(dtype) == 4 && monoid == AXIS_SUMSQ);
}

/* Whether there are kernels: not of squares of 64-bit integers. */
HD_CONSTANT bool axis_is_supported(enum axis_monoid monoid, enum dtype dtype)
{
    return monoid != AXIS_SUMSQ || dtype_is_float(dtype) ||
           dtype_size(dtype) < 8;
}
