/* SPDX-License-Identifier: MIT */
/* The launchers of the kernels over axes. For CUDA's headers. */
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/axis/axis.h"

/* Starts the reduction of a plan's job: one or two launches. Not supported:
 * cudaErrorNotSupported. What is not of the monoid's results is not written. */
EXTERN_C cudaError_t gpu_axis(enum axis_monoid monoid, enum dtype dtype,
                              const struct axis_job *job, cudaStream_t stream);

/* Merges the parts of results, which are in the job's scratch, by the plan of
 * axis_plan_merge. The job's shape has the length of the whole axis, outer 1
 * and, as inner, the outputs. */
EXTERN_C cudaError_t gpu_axis_merge(enum axis_monoid monoid, enum dtype dtype,
                                    const struct axis_job *job,
                                    cudaStream_t stream);

/* The kernels of a plan: registers of a thread, bytes of local memory, and
 * blocks that a multiprocessor has room for. */
struct axis_cost {
    int registers, local, resident;
};
EXTERN_C cudaError_t gpu_axis_cost(enum axis_monoid monoid, enum dtype dtype,
                                   const struct axis_plan *plan,
                                   struct axis_cost *cost);

/* As axis_plan, with as many resident blocks as the kernel really has: without,
 * the last blocks of a grid leave much of the device idle. */
EXTERN_C bool gpu_axis_plan(struct axis_plan *plan, enum axis_monoid monoid,
                            enum dtype dtype, const struct axis_shape *shape,
                            const struct axis_tuning *tuning);
