// SPDX-License-Identifier: MIT
// Closes the gaps in columns, and notes the row of each value.
#include "kernels/csv/tiles.cuh"

// Rows of a block: each thread has a word of `used`.
constexpr unsigned ROWS = THREADS * 32;

template <class S>
static __global__ __launch_bounds__(THREADS) void csv_numbers_kernel(
    const struct gpu_csv_number *__restrict__ numbers, size_t n,
    struct gpu_csv_buffers to)
{
    const size_t i = blockIdx.x * (size_t)THREADS + threadIdx.x;
    if (i >= n)
        return;
    const struct gpu_csv_number x = numbers[i];
    ((S *)to.value)[x.column * to.pitch + x.row] = (S)x.bits;
    atomicOr(&to.used[x.column * (to.pitch / 32) + x.row / 32],
             1u << x.row % 32);
    atomicAdd(&to.column[x.column].used, 1u);
}

// Every block counts the bits before its own words again: for 4 million rows,
// the blocks together read 64 MB from the L2 cache.
template <class S>
static __global__ __launch_bounds__(THREADS) void csv_compact_kernel(
    unsigned rows, unsigned blocks, struct gpu_csv_buffers to)
{
    const unsigned column = blockIdx.x / blocks, block = blockIdx.x % blocks;
    if (to.column[column].used == rows)
        return;
    const unsigned lane = threadIdx.x % 32, words = (rows + 31) / 32;
    const uint32_t *used = to.used + column * (to.pitch / 32);
    const unsigned own = block * THREADS + threadIdx.x;
    unsigned before = 0, all, own_all;
    for (unsigned w = threadIdx.x; w < block * THREADS; w += THREADS)
        before += __popc(used[w]);
    block_before(before, &all);
    const uint32_t own_word = own < words ? used[own] : 0;
    before = all + block_before<unsigned>(__popc(own_word), &own_all);

    const S *value = (const S *)to.value + column * to.pitch;
    S *dense = (S *)to.dense + column * to.pitch;
    uint32_t *row_of = to.row_of + column * to.pitch;
    for (unsigned i = 0; i < 32; i++) {
        const uint32_t word = __shfl_sync(~0u, own_word, i);
        const unsigned at =
            __shfl_sync(~0u, before, i) + __popc(word & ((1u << lane) - 1));
        const unsigned row = 32 * (own - lane + i) + lane;
        if (word >> lane & 1) {
            dense[at] = value[row];
            row_of[at] = row;
        }
    }
}

template <class S>
static cudaError_t compact(const struct gpu_csv_spec *spec,
                           const struct gpu_csv_chunk *chunk, unsigned rows,
                           const struct gpu_csv_number *numbers, size_t n,
                           cudaStream_t stream)
{
    const unsigned blocks = (rows + ROWS - 1) / ROWS;
    if (n > 0)
        csv_numbers_kernel<S>
            <<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(
                numbers, n, chunk->to);
    if (rows > 0)
        csv_compact_kernel<S><<<blocks * spec->columns, THREADS, 0, stream>>>(
            rows, blocks, chunk->to);
    return cudaGetLastError();
}

cudaError_t gpu_csv_compact(const struct gpu_csv_spec *spec,
                            const struct gpu_csv_chunk *chunk, unsigned rows,
                            const struct gpu_csv_number *numbers, size_t n,
                            cudaStream_t stream)
{
    const size_t size = dtype_info(spec->dtype)->size;
    const auto of_size = size == 1   ? compact<uint8_t>
                         : size == 2 ? compact<uint16_t>
                         : size == 4 ? compact<uint32_t>
                                     : compact<uint64_t>;
    return of_size(spec, chunk, rows, numbers, n, stream);
}
