// SPDX-License-Identifier: MIT
//
// Partial results and the kernels that merge them. A partial result has 32
// bytes, one sector of memory.
#pragma once

#include "kernels/axis/accumulate.cuh"

template <class ACC>
DEVICE ACC *partial_of(const struct axis_job &job, uint64_t o, uint64_t part,
                       uint64_t i)
{
    const uint64_t at = (o * job.plan.partials + part) * job.shape.inner + i;
    return (ACC *)((char *)job.scratch + at * AXIS_PARTIAL_BYTES);
}

// Stores result (o, i), or a part of it, where the job wants it.
template <class ACC>
DEVICE void give(const ACC &acc, const struct axis_job &job, uint64_t o,
                 uint64_t part, uint64_t i)
{
    if (job.plan.partials == 1 && !job.plan.is_part)
        acc.store(job, o * job.shape.inner + i);
    else
        *partial_of<ACC>(job, o, part, i) = acc;
}

// Merges each result by a warp or, if it has many partial results, by a block.
constexpr uint64_t PARTIALS_OF_A_WARP = 128;

template <class ACC>
DEVICE void merge_partials(ACC *acc, const struct axis_job &job,
                           uint64_t output, uint32_t rank, uint32_t team)
{
    const uint64_t o = output / job.shape.inner, i = output % job.shape.inner;
    acc->init();
#pragma unroll 4
    for (uint64_t part = rank; part < job.plan.partials; part += team)
        acc->merge(*partial_of<ACC>(job, o, part, i));
}

// Stores a merged result, or adds it to the parts before it.
template <class ACC>
DEVICE void put_merged(ACC *acc, const struct axis_job &job, uint64_t output)
{
    ACC *part = (ACC *)((char *)job.parts + output * AXIS_PARTIAL_BYTES);
    if (!job.parts) {
        acc->store(job, output);
        return;
    }
    acc->move(job.first);
    if (job.adds)
        acc->merge(*part);
    *part = *acc;
}

template <class ACC>
__global__ __launch_bounds__(THREADS) void axis_merge(struct axis_job job)
{
    __shared__ room_of<ACC> shared[THREADS / 32];
    const bool block = job.plan.partials > PARTIALS_OF_A_WARP;
    const uint32_t team = block ? THREADS : 32, rank = threadIdx.x % team;
    const uint64_t teams = THREADS / team;
    uint64_t output = blockIdx.x * teams + threadIdx.x / team;
    for (; output < job.plan.outputs; output += gridDim.x * teams) {
        ACC acc;
        merge_partials(&acc, job, output, rank, team);
        if (block) {
            __syncthreads();
            merge_block(&acc, (ACC *)shared);
        } else {
            merge_lanes(&acc, 32);
        }
        if (rank == 0)
            put_merged(&acc, job, output);
    }
}
