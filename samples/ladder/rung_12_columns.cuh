// SPDX-License-Identifier: MIT
//
// Rungs 12 and 13: a sum for each column.
//
// With a block for each column (rung 12) every thread of a warp reads another
// row: 32 sectors of 32 bytes for 32 numbers. In rung 13 a block takes 32
// adjacent columns. A warp reads 128 bytes of a row, each of the 8 warps has
// its own rows, and a tile of 8 x 32 sums in shared memory combines the warps.
#pragma once

constexpr int DEEP = 8; // warps of a block

__global__ void columns_uncoalesced(const float *in, size_t rows,
                                    size_t columns, float *out)
{
    float sum = 0.0f;
    for (size_t r = threadIdx.x; r < rows; r += THREADS)
        sum += in[r * columns + blockIdx.x];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

__global__ void columns_through_tiles(const float *in, size_t rows,
                                      size_t columns, float *out)
{
    __shared__ float tile[DEEP][32];
    const size_t column = (size_t)blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0f;
    // The loop counts from 0 and rows % DEEP == 0, so the compiler can keep
    // eight loads in flight.
#pragma unroll 8
    for (size_t k = 0; k < rows / DEEP; k++)
        sum += in[(k * DEEP + threadIdx.y) * columns + column];
    tile[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    for (int k = 1; k < DEEP; k++)
        sum += tile[k][threadIdx.x];
    out[column] = sum;
}

static cudaError_t launch_columns_uncoalesced(const struct work *w,
                                              size_t *chain)
{
    columns_uncoalesced<<<(unsigned)w->columns, THREADS>>>(w->in, w->rows,
                                                           w->columns, w->out);
    *chain = w->rows / THREADS + 1 + 2 * 5;
    return cudaGetLastError();
}

static cudaError_t launch_columns_tiles(const struct work *w, size_t *chain)
{
    const unsigned blocks = (unsigned)(w->columns / 32);
    columns_through_tiles<<<blocks, dim3(32, DEEP)>>>(w->in, w->rows,
                                                      w->columns, w->out);
    *chain = w->rows / DEEP + DEEP;
    return cudaGetLastError();
}
