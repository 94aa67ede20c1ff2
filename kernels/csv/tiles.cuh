// SPDX-License-Identifier: MIT
//
// Reads text by tiles: a block reads a tile, each thread CSV_STEP bytes of it.
#pragma once

#include "kernels/csv/decode.h"
#include "kernels/csv/marks.h"
#include "kernels/common/tiles.cuh"

constexpr unsigned TILE = THREADS * CSV_STEP;
static_assert(THREADS == 256, "room.c divides memory by tiles of 256 threads");

// A tile's count of rows begins at this bit; its count of ends is below.
constexpr unsigned ROW_COUNT = 16;
static_assert(TILE < 1 << ROW_COUNT, "two counts in 32 bits");

// Not inlined: it runs once for 32 bytes, and mostly ends after one step.
static __device__ __noinline__ void
find_leading(struct csv_sides *sides, const unsigned char *__restrict__ text,
             unsigned at, struct csv_dialect d)
{
    csv_find_leading(sides, text, at, d);
}

// The marks of the thread's bytes, which begin at `at`. Whether they are inside
// quotes is not known yet.
static DEVICE struct csv_marks marks_at(const unsigned char *__restrict__ text,
                                        unsigned bytes, unsigned at,
                                        struct csv_dialect d)
{
    if (at >= bytes)
        return csv_marks{};
    vector16<uint32_t> v[2];
    v[0].words = reinterpret_cast<const uint4 *>(text + at)[0];
    v[1].words = reinterpret_cast<const uint4 *>(text + at)[1];
    const uint32_t word[] = {v[0].at[0], v[0].at[1], v[0].at[2], v[0].at[3],
                             v[1].at[0], v[1].at[1], v[1].at[2], v[1].at[3]};
    struct csv_sides sides = {
        d.end, d.end, text[at + CSV_STEP], text[at + CSV_STEP + 1],
        true,  false};
    if (at > 0) {
        sides.before = text[at - 1];
        sides.before_that = text[at - 2];
    }
    if (d.blank)
        find_leading(&sides, text, at, d);
    return csv_marks_of(word, bytes - at, sides, d);
}

// Whether `odd` is true in an odd number of the threads before this one; *all:
// of all threads of the block.
static DEVICE unsigned block_odd(unsigned odd, unsigned *all)
{
    __shared__ unsigned shared[THREADS / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned ballot = __ballot_sync(~0u, odd);
    __syncthreads();
    if (lane == 0)
        shared[warp] = ballot;
    __syncthreads();
    unsigned before = __popc(ballot & ((1u << lane) - 1)), whole = 0;
    for (unsigned w = 0; w < THREADS / 32; w++) {
        const unsigned count = __popc(shared[w]);
        before += w < warp ? count : 0;
        whole += count;
    }
    *all = whole & 1;
    return before & 1;
}

// The sum over the threads before this one; *all: over the block.
template <class T> DEVICE T block_before(T x, T *all)
{
    __shared__ T shared[THREADS / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    T sum = x;
    for (unsigned s = 1; s < 32; s *= 2) {
        const T y = __shfl_up_sync(~0u, sum, s);
        sum += lane >= s ? y : 0;
    }
    __syncthreads();
    if (lane == 31)
        shared[warp] = sum;
    __syncthreads();
    T before = sum - x, whole = 0;
    for (unsigned w = 0; w < THREADS / 32; w++) {
        const T count = shared[w];
        before += w < warp ? count : 0;
        whole += count;
    }
    *all = whole;
    return before;
}

static DEVICE struct gpu_csv_cell find_cell(const struct gpu_csv_spec &spec,
                                            const struct gpu_csv_buffers &to,
                                            unsigned row, unsigned column,
                                            unsigned field)
{
    // Does not overflow: these rows have no more fields than the text has
    // bytes, 2^28.
    const unsigned end = row * spec.fields + field;
    const unsigned from = field ? to.field_end[end - 1] + 1 : to.row_begin[row];
    return {row, column, from, to.field_end[end] - from};
}
