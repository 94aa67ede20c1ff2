/* SPDX-License-Identifier: MIT */
/* The launchers of the kernels over axes. For CUDA's headers. */
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/axis/axis.h"

/* Starts the reduction of a plan's job, by one or two launches. Writes only the
 * results of the monoid. cudaErrorNotSupported if there are no kernels. */
EXTERN_C cudaError_t gpu_axis(enum axis_monoid monoid, enum dtype dtype,
                              const struct axis_job *job, cudaStream_t stream);

/* Merges the parts of results in the job's scratch memory, by the plan of
 * axis_plan_merge. In the job's shape, `length` is that of the whole axis,
 * outer is 1 and inner the number of outputs. */
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

/* As axis_plan, but with the number of resident blocks that the kernel really
 * has. A wrong number would leave much of the device idle at the end. */
EXTERN_C bool gpu_axis_plan(struct axis_plan *plan, enum axis_monoid monoid,
                            enum dtype dtype, const struct axis_shape *shape,
                            const struct axis_tuning *tuning);
