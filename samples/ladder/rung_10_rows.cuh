// SPDX-License-Identifier: MIT
//
// Rungs 10 and 11: very many short rows, a sum for each.
//
// With a block for each row most of the work would be the tree; with a thread
// for each row (rung 10) there is no tree. But then a warp's 32 loads are a row
// apart: each uses 4 bytes of a 32-byte sector, and the rest helps only if it
// is still in the cache at the next loads. In rung 11 a warp reads 128 bytes of
// one row at a time into a tile of 32 x 32 in shared memory, and each thread
// then sums its own row from there.
#pragma once

constexpr int WARPS = 4; // warps of a block; each has its own tile

__global__ void rows_uncoalesced(const float *in, size_t columns, float *out)
{
    const size_t row = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float sum = 0.0f;
    for (size_t c = 0; c < columns; c++)
        sum += in[row * columns + c];
    out[row] = sum;
}

__global__ void rows_through_tiles(const float *in, size_t columns, float *out)
{
    // Lines of 33: the numbers of a column are in 32 different banks, so 32
    // threads can read them without bank conflicts.
    __shared__ float tile_of_warp[WARPS][32][33];
    float(*tile)[33] = tile_of_warp[threadIdx.x / 32];
    const int lane = threadIdx.x % 32;
    const size_t first =
        ((size_t)blockIdx.x * WARPS + threadIdx.x / 32) * 32; // row
    float sum = 0.0f;
    for (size_t c = 0; c < columns; c += 32) {
#pragma unroll
        for (int r = 0; r < 32; r++)
            tile[r][lane] = in[(first + r) * columns + c + lane];
        __syncwarp();
#pragma unroll
        for (int k = 0; k < 32; k++)
            sum += tile[lane][k];
        __syncwarp();
    }
    out[first + lane] = sum;
}

static cudaError_t launch_rows_uncoalesced(const struct work *w, size_t *chain)
{
    const unsigned blocks = (unsigned)(w->rows / THREADS);
    rows_uncoalesced<<<blocks, THREADS>>>(w->in, w->columns, w->out);
    *chain = w->columns;
    return cudaGetLastError();
}

static cudaError_t launch_rows_tiles(const struct work *w, size_t *chain)
{
    const unsigned blocks = (unsigned)(w->rows / (32 * WARPS));
    rows_through_tiles<<<blocks, 32 * WARPS>>>(w->in, w->columns, w->out);
    *chain = w->columns;
    return cudaGetLastError();
}
