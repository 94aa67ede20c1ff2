// SPDX-License-Identifier: MIT
//
// Rungs 8 and 9: many long rows, a sum for each.
//
// A block sums a whole row, so blocks need not be combined: no atomics, no
// second launch, and the order of additions is the same each time. The two
// rungs differ as rungs 5 and 6 do: a tree in shared memory, then shuffles. The
// stride is a constant here, so the compiler unrolls the loop by four and keeps
// four loads in flight.
//
// What is bad: few rows leave multiprocessors idle, and short rows leave
// threads idle. The blocks of the last wave end when the slowest one does.
#pragma once

// Returns the sum of the elements of its block's row that this thread reads.
__device__ float part_of_row(const float *in, size_t columns)
{
    const float *row = in + blockIdx.x * columns;
    float sum = 0.0f;
    for (size_t c = threadIdx.x; c < columns; c += THREADS)
        sum += row[c];
    return sum;
}

__global__ void batched_tree(const float *in, size_t columns, float *out)
{
    __shared__ float s[THREADS];
    s[threadIdx.x] = part_of_row(in, columns);
    tree_sum(s);
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

__global__ void batched_shuffle(const float *in, size_t columns, float *out)
{
    const float sum = block_sum(part_of_row(in, columns));
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

static cudaError_t launch_batched_tree(const struct work *w, size_t *chain)
{
    batched_tree<<<(unsigned)w->rows, THREADS>>>(w->in, w->columns, w->out);
    *chain = w->columns / THREADS + 1 + ROUNDS;
    return cudaGetLastError();
}

static cudaError_t launch_batched_shuffle(const struct work *w, size_t *chain)
{
    batched_shuffle<<<(unsigned)w->rows, THREADS>>>(w->in, w->columns, w->out);
    *chain = w->columns / THREADS + 1 + 2 * 5;
    return cudaGetLastError();
}
