// SPDX-License-Identifier: MIT
//
// The source that a kernel reads, and its launch. meson.build compiles each
// family twice: over the elements of a chunk and, with -DOVER_COLUMNS, over all
// columns of a chunk of text. Over columns, blockIdx.y and .z select the
// column, so that one launch serves any number of columns.
//
// Each variant has an object of its own, because the compiler generates
// different code for a kernel if its source has more kernels: with both
// variants in one object, 52 of the 147 kernels over elements changed. For the
// same reason, a kernel's body is not an inline function.
#pragma once

#include "kernels/common/tiles.cuh"

// `source` is the type of a kernel's first parameter; OVER is the name of a
// family's table.
#ifdef OVER_COLUMNS
constexpr bool over_columns = true;
template <class S> using source = struct gpu_columns;
#define OVER(family) family##_over_columns
#else
constexpr bool over_columns = false;
template <class S> using source = const S *;
#define OVER(family) family##_over_elements
#endif

// Whether this variant has kernels for the type: text is not read as f16 or
// bf16.
template <enum dtype D>
constexpr bool has_type =
    !over_columns || !float_layout<D>::is_float || sizeof(storage_of<D>) >= 4;

// The block's column; 0 over elements.
DEVICE unsigned column_number()
{
    return over_columns ? blockIdx.y + blockIdx.z * gridDim.y : 0;
}

// Over elements: returns `from`, and leaves the other arguments as they are.
template <class S, class... TO>
DEVICE const S *take(const S *from, size_t *, TO **...)
{
    return from;
}

// Over columns: returns the first value of the block's column and sets *n to
// their number, which is 0 if the grid has more blocks than columns. Each `to`
// points into the result of column 0; take moves it to the same field in the
// result of the block's column.
template <class S, class... TO>
DEVICE const S *take(const struct gpu_columns &from, size_t *n, TO **...to)
{
    const unsigned c = column_number();
    const unsigned used = from.cells[min(c, from.count - 1)].used;
    *n = c < from.count ? used : 0;
    ((*to = (TO *)((char *)*to + c * sizeof(struct gpu_result))), ...);
    const S *all = (const S *)(used == from.rows ? from.value : from.dense);
    return all + c * from.pitch;
}

// Tiles that n elements fill or begin, one without a whole vector included; at
// least 1.
template <class S, int UNROLL> inline size_t tiles_for(size_t n)
{
    const size_t size = tile_size<S, UNROLL>;
    return n ? (n - 1) / size + 1 : 1;
}

// Blocks for n elements of `size` bytes: at most `waves` for each
// multiprocessor and one for each tile.
inline int grid_for(size_t n, size_t size, int unroll, int waves)
{
    int device = 0, multiprocessors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                           device);
    const size_t tile = (size_t)THREADS * unroll * 16;
    const size_t tiles = (n * size + tile - 1) / tile;
    size_t blocks = (size_t)multiprocessors * waves;
    blocks = blocks < GPU_BLOCKS_MAX ? blocks : GPU_BLOCKS_MAX;
    return (int)(tiles < blocks ? (tiles ? tiles : 1) : blocks);
}

// Blocks of a kernel for n elements of `size` bytes: as many as are resident at
// a time (a wave) and, if there are enough tiles, up to shape.waves times that.
// Waves are whole: 1.5 would leave half of the second idle.
template <class KERNEL>
inline int blocks_for(KERNEL *kernel, size_t n, size_t size,
                      const struct shape &shape)
{
    int resident = 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, THREADS,
                                                  0);
    const size_t one = (size_t)grid_for(n, size, shape.unroll, resident);
    const size_t tiles = n * size / ((size_t)THREADS * shape.unroll * 16);
    const size_t waves = (tiles / TILES_OF_A_BLOCK + one / 2) / one;
    const int most = waves < (size_t)shape.waves ? (int)waves : shape.waves;
    return grid_for(n, size, shape.unroll, resident * (most ? most : 1));
}

// The grid for all columns, whose elements have `size` bytes: up to one block
// for each tile of a column, but in total at most ONCE_TILES, or one for each
// column.
inline dim3 grid_for_columns(const struct gpu_columns &c, size_t size,
                             int unroll)
{
    const size_t tile = (size_t)THREADS * unroll * 16;
    const size_t tiles = (c.rows * size + tile - 1) / tile;
    const size_t share = ONCE_TILES / c.count;
    const size_t blocks = share < 1 ? 1 : share < tiles ? share : tiles;
    const unsigned most = 65535, y = c.count < most ? c.count : most;
    return dim3((unsigned)(blocks ? blocks : 1), y, (c.count + y - 1) / y);
}

// Launches a kernel. Its parameters are the source, n, and args; over columns,
// n is unused.
template <class S, class KERNEL, class... ARGS>
static cudaError_t start(KERNEL *kernel, const struct shape &shape,
                         const struct gpu_chunk *c, cudaStream_t stream,
                         ARGS... args)
{
    if constexpr (over_columns) {
        const dim3 grid = grid_for_columns(c->columns, sizeof(S), shape.unroll);
        kernel<<<grid, THREADS, 0, stream>>>(c->columns, 0, args...);
    } else {
        const int blocks = blocks_for(kernel, c->n, sizeof(S), shape);
        kernel<<<blocks, THREADS, 0, stream>>>((const S *)c->data, c->n,
                                               args...);
    }
    return cudaGetLastError();
}
