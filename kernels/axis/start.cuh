// SPDX-License-Identifier: MIT
//
// Starts the kernels of a plan, whatever they accumulate. Between the families
// of this folder and axis.cu, which picks by monoid and dtype.
#pragma once

#include "kernels/axis/column_form.cuh"
#include "kernels/axis/row_form.cuh"
#include "kernels/axis/tile_form.cuh"

typedef void axis_kernel(struct axis_job job);

template <class ACC> static axis_kernel *kernel_of(const struct axis_plan &plan)
{
    constexpr int pack =
        sizeof(typename ACC::S) < 4 ? 4 / (int)sizeof(typename ACC::S) : 1;
    if (plan.form == AXIS_TILES)
        return plan.by_vectors ? axis_tiles<ACC, true> : axis_tiles<ACC, false>;
    if (plan.form == AXIS_ROWS)
        return axis_rows<ACC>;
    if (plan.form == AXIS_SHALLOW)
        return plan.rows > 4   ? axis_shallow<ACC, 8>
               : plan.rows > 2 ? axis_shallow<ACC, 4>
                               : axis_shallow<ACC, 2>;
    return plan.pack == 1 ? axis_columns<ACC, 1> : axis_columns<ACC, pack>;
}

template <class ACC>
static cudaError_t start_merge(const struct axis_job *job, cudaStream_t stream)
{
    const struct axis_plan &p = job->plan;
    const uint64_t teams = p.partials > PARTIALS_OF_A_WARP ? 1 : THREADS / 32;
    const uint64_t needed = (p.outputs + teams - 1) / teams;
    const unsigned blocks = (unsigned)min(needed, (uint64_t)1 << 30);
    axis_merge<ACC><<<blocks, THREADS, 0, stream>>>(*job);
    return cudaGetLastError();
}

template <class ACC>
static cudaError_t start_axis(const struct axis_job *job, cudaStream_t stream)
{
    const struct axis_plan &p = job->plan;
    kernel_of<ACC>(p)<<<p.blocks, p.threads, 0, stream>>>(*job);
    return p.partials > 1 || p.is_part ? start_merge<ACC>(job, stream)
                                       : cudaGetLastError();
}

// axis.cu calls an accumulator by these functions.
struct axis_starter {
    cudaError_t (*start)(const struct axis_job *job, cudaStream_t stream);
    cudaError_t (*merge)(const struct axis_job *job, cudaStream_t stream);
    axis_kernel *(*kernel)(const struct axis_plan &plan);
    bool has_plain;
};

template <class ACC> constexpr struct axis_starter starter_of()
{
    return {start_axis<ACC>, start_merge<ACC>, kernel_of<ACC>, has_plain<ACC>};
}
constexpr struct axis_starter AXIS_NOT_SUPPORTED = {nullptr, nullptr, nullptr,
                                                    false};

// By family: sums by map or monoid, extremes of values and of magnitudes.
extern const struct axis_starter axis_float_sums[3][DTYPES_END],
    axis_integer_sums[3][DTYPES_END], axis_counts[DTYPES_END],
    axis_extremes[2][DTYPES_END];
