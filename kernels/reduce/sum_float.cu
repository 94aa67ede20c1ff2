// SPDX-License-Identifier: MIT
// Exact float sums: of f32 and f64 by float_sum.cuh, of f16 and bf16 by
// narrow.cuh.
#include "kernels/reduce/float_sum.cuh"
#include "kernels/reduce/narrow.cuh"

template <enum dtype D, int MAP>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    if constexpr (!float_layout<D>::is_float)
        return cudaErrorNotSupported;
    else if constexpr (sizeof(storage_of<D>) == 2)
        return launch_narrow<D, MAP, false>(c, stream);
    else
        return launch_exact<float_sum<D, MAP, SUM_FLOAT.unroll>,
                            float_sum<D, MAP, 1>>(c, stream);
}

launch_fn *const OVER(sum_float)[3][DTYPES_END] = LAUNCH_MAPS;
