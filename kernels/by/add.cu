// SPDX-License-Identifier: MIT
// Adds the rows of a chunk to the bins of their keys.
//
// Extremes take three kernels:
// 1. finds the extremes;
// 2. passes over the bins, and drops the positions of extremes that this chunk
//    has beaten;
// 3. finds the first position of each. A position of an earlier chunk stays,
//    since it is lower.
#include "kernels/by/number.h"
#include "kernels/common/source.cuh"

typedef unsigned long long word;

static DEVICE word *word_at(const struct gpu_by_chunk &c, unsigned column,
                            unsigned place)
{
    const size_t words = gpu_by_places(c.set).words;
    return (word *)c.bins +
           (GPU_BY_ROW_WORDS + column * words + place) * GPU_BY_BINS;
}

static DEVICE uint64_t load(const struct gpu_by_chunk &c, unsigned column,
                            unsigned row)
{
    const size_t at = column * c.pitch + row;
    switch (dtype_size(c.dtype)) {
    case 1:
        return ((const uint8_t *)c.value)[at];
    case 2:
        return ((const uint16_t *)c.value)[at];
    case 4:
        return ((const uint32_t *)c.value)[at];
    default:
        return ((const uint64_t *)c.value)[at];
    }
}

// Whether the row has a value in the column.
static DEVICE bool is_used(const struct gpu_by_chunk &c, unsigned column,
                           unsigned row)
{
    const uint32_t *used = c.used + column * (c.pitch / 32);
    return used[row / 32] >> row % 32 & 1;
}

static DEVICE void add_row(const struct gpu_by_chunk &c, unsigned bin,
                           unsigned row)
{
    word *rows = (word *)c.bins, *first = rows + GPU_BY_FIRST * GPU_BY_BINS;
    atomicAdd(&rows[GPU_BY_ROWS * GPU_BY_BINS + bin], 1ull);
    if (c.first + row < *(volatile word *)&first[bin])
        atomicMin(&first[bin], (word)(c.first + row));
}

// Adds the pieces of a gpu_by_addend or gpu_by_square to limbs.
template <class A> DEVICE void add_pieces(word *limb, const A &a)
{
    limb += (size_t)a.at * GPU_BY_BINS;
    for (auto piece : a.piece) {
        if (piece != 0)
            atomicAdd(limb, (word)piece);
        limb += GPU_BY_BINS;
    }
}

// Lowers *to to `value` if that is less. Reading *to first saves most atomic
// operations.
static DEVICE void lower(word *to, word value)
{
    if (value < *(volatile word *)to)
        atomicMin(to, value);
}

static DEVICE void list_odd(const struct gpu_by_chunk &c, unsigned column,
                            unsigned row, uint64_t bits)
{
    const size_t at = column * c.pitch + atomicAdd(&c.odds[column], 1u);
    if (dtype_size(c.dtype) == 4)
        ((uint32_t *)c.odd)[at] = (uint32_t)bits;
    else
        ((uint64_t *)c.odd)[at] = bits;
    c.odd_row[at] = row;
}

// blockIdx.y is the column.
static __global__ __launch_bounds__(THREADS) void by_add_kernel(
    const __grid_constant__ struct gpu_by_chunk c)
{
    const unsigned column = blockIdx.y;
    const struct gpu_by_places p = gpu_by_places(c.set);
    for (unsigned row = blockIdx.x * THREADS + threadIdx.x; row < c.rows;
         row += gridDim.x * THREADS) {
        const unsigned bin = gpu_by_bin(c.key[row], row % GPU_BY_COPIES);
        struct gpu_by_addend a;
        if (column == 0)
            add_row(c, bin, row);
        if (column >= c.columns)
            continue;
        const bool used = is_used(c, column, row);
        const uint64_t bits = used ? load(c, column, row) : 0;
        const uint64_t wide = gpu_by_widen(c.dtype, bits);
        if (!used || !gpu_by_split(c.dtype, wide, &a)) {
            atomicAdd(word_at(c, column, p.absent) + bin, 1ull);
            if (used)
                list_odd(c, column, row, bits);
            continue;
        }
        if (c.set.sums)
            add_pieces(word_at(c, column, p.sum) + bin, a);
        if (c.set.squares) {
            struct gpu_by_square square;
            gpu_by_square(wide, &square);
            add_pieces(word_at(c, column, p.squares) + bin, square);
        }
        if (c.set.zeros && wide == 0)
            atomicAdd(word_at(c, column, p.zeros) + bin, 1ull);
        if (c.set.extremes) {
            const uint64_t order = gpu_by_key(c.dtype, wide);
            word *to = word_at(c, column, p.extremes) + bin;
            lower(to + (size_t)GPU_BY_MIN * GPU_BY_BINS, order);
            lower(to + (size_t)GPU_BY_MAX * GPU_BY_BINS, ~order);
        }
    }
}

static DEVICE void forget(word *to, unsigned which)
{
    word *value = to + (size_t)which * GPU_BY_BINS;
    word *before = value + GPU_BY_BINS, *at = before + GPU_BY_BINS;
    if (*value != *before) {
        *before = *value;
        *at = UINT64_MAX;
    }
}

static __global__ __launch_bounds__(THREADS) void by_forget_kernel(
    const __grid_constant__ struct gpu_by_chunk c)
{
    const unsigned bin = blockIdx.x * THREADS + threadIdx.x;
    if (bin >= GPU_BY_BINS)
        return;
    word *to = word_at(c, blockIdx.y, gpu_by_places(c.set).extremes) + bin;
    forget(to, GPU_BY_MIN);
    forget(to, GPU_BY_MAX);
}

static DEVICE void place(const struct gpu_by_chunk &c, word *to, unsigned which,
                         word order, unsigned row)
{
    word *value = to + (size_t)which * GPU_BY_BINS;
    word *at = value + 2 * (size_t)GPU_BY_BINS;
    if (order == *value)
        lower(at, (word)(c.first + row));
}

static __global__ __launch_bounds__(THREADS) void by_place_kernel(
    const __grid_constant__ struct gpu_by_chunk c)
{
    const unsigned column = blockIdx.y;
    const unsigned extremes = gpu_by_places(c.set).extremes;
    for (unsigned row = blockIdx.x * THREADS + threadIdx.x; row < c.rows;
         row += gridDim.x * THREADS) {
        struct gpu_by_addend unused;
        const unsigned bin = gpu_by_bin(c.key[row], row % GPU_BY_COPIES);
        if (!is_used(c, column, row))
            continue;
        const uint64_t wide = gpu_by_widen(c.dtype, load(c, column, row));
        if (!gpu_by_split(c.dtype, wide, &unused))
            continue;
        const uint64_t order = gpu_by_key(c.dtype, wide);
        word *to = word_at(c, column, extremes) + bin;
        place(c, to, GPU_BY_MIN, order, row);
        place(c, to, GPU_BY_MAX, ~order, row);
    }
}

cudaError_t gpu_by_clear(uint64_t *bins, struct gpu_by_set set,
                         unsigned columns, cudaStream_t stream)
{
    const size_t word = GPU_BY_BINS * sizeof(uint64_t);
    const struct gpu_by_places p = gpu_by_places(set);
    cudaError_t code =
        cudaMemsetAsync(bins, 0, gpu_by_bytes(set, columns), stream);
    if (code == cudaSuccess)
        code = cudaMemsetAsync(bins + GPU_BY_FIRST * (size_t)GPU_BY_BINS, 0xff,
                               word, stream);
    for (unsigned c = 0; set.extremes && c < columns; c++) {
        const size_t at = GPU_BY_ROW_WORDS + c * (size_t)p.words + p.extremes;
        if (code == cudaSuccess)
            code = cudaMemsetAsync(bins + at * GPU_BY_BINS, 0xff,
                                   GPU_BY_EXTREME_WORDS * word, stream);
    }
    return code;
}

cudaError_t gpu_by_add(const struct gpu_by_chunk *c, cudaStream_t stream)
{
    const unsigned columns = c->columns ? c->columns : 1;
    const dim3 rows((unsigned)grid_for(c->rows, 16, 1, 8), columns);
    const dim3 bins((GPU_BY_BINS + THREADS - 1) / THREADS, columns);
    const cudaError_t code =
        cudaMemsetAsync(c->odds, 0, columns * sizeof *c->odds, stream);
    if (code != cudaSuccess || c->rows == 0)
        return code;
    by_add_kernel<<<rows, THREADS, 0, stream>>>(*c);
    if (c->set.extremes && c->columns > 0) {
        by_forget_kernel<<<bins, THREADS, 0, stream>>>(*c);
        by_place_kernel<<<rows, THREADS, 0, stream>>>(*c);
    }
    return cudaGetLastError();
}
