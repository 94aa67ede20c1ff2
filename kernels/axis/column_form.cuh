// SPDX-License-Identifier: MIT
//
// Columns: all lanes of a slab together read whole rows, which are contiguous,
// and then the next rows. So each lane stays in its column, whatever the number
// of columns, and the loads of a warp are contiguous. If rows start at a word,
// elements narrower than a word are read as words of adjoining columns.
#pragma once

#include "kernels/axis/partials.cuh"

constexpr struct shape AXIS_COLUMN_SHAPE = {AXIS_COLUMN_ROWS, 4, 1};

// A lane loads an element, or a word of PACK elements.
template <class S, int PACK>
using column_word = std::conditional_t<PACK == 1, S, uint32_t>;

// Adds N elements to the accumulator of each column of a word.
template <class ACC, int PACK, int N, class W>
DEVICE void add_words(ACC *acc, const W *word, uint32_t row, uint32_t step)
{
    typedef typename ACC::S S;
#pragma unroll
    for (int c = 0; c < PACK; c++) {
        S x[N];
#pragma unroll
        for (int i = 0; i < N; i++)
            x[i] = (S)(word[i] >> (PACK == 1 ? 0 : 8 * sizeof(S) * c));
        if constexpr (N == 1)
            acc[c].one(x[0], row);
        else
            acc[c].template group<N>(x, row, step);
    }
}

// Loads N rows, then adds them in groups.
template <class ACC, int PACK, int N, class W>
DEVICE void add_rows(ACC *acc, const W *from, uint32_t row, uint32_t step,
                     uint64_t next)
{
    constexpr int group = N < 8 ? N : 8;
    W word[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        word[i] = __ldcs(from + i * next);
#pragma unroll
    for (int i = 0; i < N; i += group)
        add_words<ACC, PACK, group>(acc, word + i, row + i * step, step);
}

// Adds up to three rows that are loaded.
template <class ACC, int PACK, class W>
DEVICE void add_last(ACC *acc, const W *word, uint32_t rows, uint32_t row,
                     uint32_t step)
{
    if (rows == 3)
        add_words<ACC, PACK, 3>(acc, word, row, step);
    else if (rows == 2)
        add_words<ACC, PACK, 2>(acc, word, row, step);
    else if (rows == 1)
        add_words<ACC, PACK, 1>(acc, word, row, step);
}

// Adds the rows of a lane: `row`, row + step, ...; they are `next` elements of
// W apart. Words of up to 4 bytes need more loads in flight to cover the
// latency of memory.
template <class ACC, int PACK, class W>
DEVICE void add_column(ACC *acc, const W *from, uint32_t row, uint32_t length,
                       uint32_t step, uint64_t next)
{
    constexpr int N = AXIS_COLUMN_ROWS, many = sizeof(W) < 8 ? 2 * N : N;
    uint64_t left = ((uint64_t)length - row + step - 1) / step;
    for (; left >= many; left -= many, row += many * step, from += many * next)
        add_rows<ACC, PACK, many>(acc, from, row, step, next);
    if (many > N && left >= N) {
        add_rows<ACC, PACK, N>(acc, from, row, step, next);
        left -= N;
        row += N * step;
        from += N * next;
    }
    W word[N];
#pragma unroll
    for (int i = 0; i < N - 1; i++)
        if (i < (int)left)
            word[i] = __ldcs(from + i * next);
    if (left < 4) {
        add_last<ACC, PACK>(acc, word, (uint32_t)left, row, step);
        return;
    }
    add_words<ACC, PACK, 4>(acc, word, row, step);
    add_last<ACC, PACK>(acc, word + 4, (uint32_t)left - 4, row + 4 * step,
                        step);
}

// Merges the accumulators of each column in `shared`, word by word, into that
// of the first `words`. A team of lanes of a warp does a column.
template <class ACC> DEVICE void merge_by_teams(ACC *shared, uint32_t words)
{
    const uint32_t rows = (THREADS + words - 1) / words;
    const uint32_t team = rows > 16 ? 32 : 1u << (32 - __clz((int)rows - 1));
    const uint32_t rank = threadIdx.x % team;
    for (uint32_t first = threadIdx.x / 32 * (32 / team); first < words;
         first += THREADS / team) {
        const uint32_t column = first + threadIdx.x % 32 / team;
        ACC all;
        all.init();
        for (uint32_t at = column + rank * words;
             column < words && at < THREADS; at += team * words)
            all.merge(shared[at]);
        merge_lanes(&all, (int)team);
        if (rank == 0 && column < words)
            shared[column] = all;
    }
}

// If several lanes of the block have the same column, merges their accumulators
// into that of the first. All threads of the block call it; words < THREADS.
template <class ACC>
DEVICE void merge_columns(ACC *acc, ACC *shared, uint32_t words)
{
    shared[threadIdx.x] = *acc;
    __syncthreads();
    if (words < THREADS / 8) {
        merge_by_teams(shared, words);
        __syncthreads();
        *acc = shared[threadIdx.x];
        return;
    }
    uint32_t at = threadIdx.x + words;
    for (; threadIdx.x < words && at < THREADS; at += words)
        acc->merge(shared[at]);
    __syncthreads();
}

template <class ACC, int PACK>
KERNEL(AXIS_COLUMN_SHAPE)
void axis_columns(struct axis_job job)
{
    typedef column_word<typename ACC::S, PACK> W;
    __shared__ room_of<ACC> shared[THREADS];
    const struct axis_plan &p = job.plan;
    const uint64_t slab = blockIdx.x / p.slab_blocks;
    const uint32_t block = blockIdx.x % p.slab_blocks;
    const uint64_t lane = (uint64_t)block * THREADS + threadIdx.x;
    const uint64_t row = lane / p.words, column = lane % p.words;
    ACC acc[PACK];
#pragma unroll
    for (int c = 0; c < PACK; c++)
        acc[c].init();
    if (lane < p.lanes) {
        const W *from = (const W *)job.data + slab * (p.slab / PACK) + lane;
        add_column<ACC, PACK>(acc, from, (uint32_t)row,
                              (uint32_t)job.shape.length,
                              (uint32_t)(p.lanes / p.words), p.lanes);
    }
    const bool narrow = p.words < THREADS;
    const uint64_t part = narrow ? block : row;
#pragma unroll
    for (int c = 0; c < PACK; c++) {
        if (narrow)
            merge_columns(&acc[c], (ACC *)shared, (uint32_t)p.words);
        if (narrow ? threadIdx.x < p.words : lane < p.lanes)
            give(acc[c], job, slab, part, column * PACK + c);
    }
}

// The first `length` of the R rows of a column.
template <class ACC, int R>
DEVICE void add_few(ACC *acc, const typename ACC::S *x, uint32_t length)
{
    if (length == R) {
        acc->template group<R>(x, 0, 1);
    } else if constexpr (R == 8) {
        acc->template group<4>(x, 0, 1);
        if (length == 7)
            acc->template group<3>(x + 4, 4, 1);
        else if (length == 6)
            acc->template group<2>(x + 4, 4, 1);
        else
            acc->template group<1>(x + 4, 4, 1);
    } else {
        acc->template group<R == 4 ? 3 : 1>(x, 0, 1);
    }
}

// For at most R rows: a lane loads all rows of K columns, which are 256 apart,
// then reduces one column after the other.
template <class ACC, int R>
KERNEL(AXIS_COLUMN_SHAPE)
void axis_shallow(struct axis_job job)
{
    typedef typename ACC::S S;
    constexpr int K = R == 8 ? 2 : 4, least = R == 2 ? 1 : R / 2 + 1;
    const struct axis_plan &p = job.plan;
    const uint64_t slab = blockIdx.x / p.slab_blocks;
    const uint64_t column =
        (uint64_t)(blockIdx.x % p.slab_blocks) * (K * THREADS) + threadIdx.x;
    const uint64_t inner = job.shape.inner;
    const uint32_t length = (uint32_t)job.shape.length;
    const S *from = (const S *)job.data + slab * p.slab + column;
    S x[K][R];
#pragma unroll
    for (int k = 0; k < K; k++)
#pragma unroll
        for (int r = 0; r < R; r++)
            if (r < length && column + k * THREADS < inner)
                x[k][r] = __ldcs(from + r * inner + k * THREADS);
#pragma unroll
    for (int k = 0; k < K; k++) {
        if (column + k * THREADS >= inner)
            return;
        const uint64_t output = slab * inner + column + k * THREADS;
        if (whole_of_few<ACC, least, R - least + 1>(x[k], length, job, output))
            continue;
        ACC acc;
        acc.init();
        add_few<ACC, R>(&acc, x[k], length);
        acc.store(job, output);
    }
}
