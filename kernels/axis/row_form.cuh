// SPDX-License-Identifier: MIT
//
// Long rows: a warp or a block reduces a row, or a piece of one. It reads
// vectors, except for a few elements at both ends.
#pragma once

#include "kernels/axis/partials.cuh"

constexpr struct shape AXIS_ROW_SHAPE = {4, 4, 1};

// Adds the elements of a piece of row `row`, from index `first` on.
struct row_piece {
    uint64_t row, part;
    uint32_t first, n;
};

DEVICE struct row_piece piece_of(const struct axis_job &job, uint64_t number)
{
    const struct axis_plan &p = job.plan;
    const uint64_t row = number / p.partials, part = number % p.partials;
    const uint64_t first = part * p.piece;
    const uint64_t left = job.shape.length - first;
    return {row, part, (uint32_t)first,
            (uint32_t)(left < p.piece ? left : p.piece)};
}

// Adds aligned vectors, `team` lanes at a time.
template <class ACC>
DEVICE void add_vectors(ACC *acc, const typename ACC::S *from, uint32_t vectors,
                        uint32_t index, uint32_t rank, uint32_t team)
{
    typedef typename ACC::S S;
    constexpr int unroll = AXIS_ROW_SHAPE.unroll, size = 16 / (int)sizeof(S);
    const uint4 *vector = (const uint4 *)from;
    for (uint32_t at = rank; at < vectors; at += unroll * team) {
        vector16<S> v[unroll];
#pragma unroll
        for (int u = 0; u < unroll; u++)
            if (at + u * team < vectors)
                v[u].words = __ldcs(vector + at + u * team);
#pragma unroll
        for (int u = 0; u < unroll; u++)
            if (at + u * team < vectors)
                add_loaded<ACC, 1>(acc, v + u, index + (at + u * team) * size,
                                   0);
    }
}

template <class ACC>
DEVICE void add_piece(ACC *acc, const typename ACC::S *from,
                      const struct row_piece &piece, uint32_t rank,
                      uint32_t team)
{
    typedef typename ACC::S S;
    constexpr uint32_t lanes = 16 / sizeof(S);
    const uint32_t before =
        (uint32_t)((0 - (uintptr_t)from) / sizeof(S)) % lanes;
    const uint32_t head = before < piece.n ? before : piece.n;
    const uint32_t vectors = (piece.n - head) / lanes;
    const uint32_t tail = head + vectors * lanes + rank;
    if (rank < head)
        acc->one(from[rank], piece.first + rank);
    add_vectors(acc, from + head, vectors, piece.first + head, rank, team);
    if (tail < piece.n)
        acc->one(from[tail], piece.first + tail);
}

template <class ACC> KERNEL(AXIS_ROW_SHAPE) void axis_rows(struct axis_job job)
{
    typedef typename ACC::S S;
    __shared__ room_of<ACC> shared[THREADS / 32];
    const uint32_t team = job.plan.team, rank = threadIdx.x % team;
    const uint64_t teams = THREADS / team;
    const uint64_t pieces = job.shape.outer * job.plan.partials;
    uint64_t number = blockIdx.x * teams + threadIdx.x / team;
    for (; number < pieces; number += gridDim.x * teams) {
        const struct row_piece piece = piece_of(job, number);
        const S *from =
            (const S *)job.data + piece.row * job.shape.length + piece.first;
        ACC acc;
        acc.init();
        add_piece(&acc, from, piece, rank, team);
        if (team == THREADS) {
            __syncthreads();
            merge_block(&acc, (ACC *)shared);
        } else {
            merge_lanes(&acc, 32);
        }
        if (rank == 0)
            give(acc, job, piece.row, piece.part, 0);
    }
}
