// SPDX-License-Identifier: MIT
// The tables of the families, put together.
#include "family.h"

static launch_fn *find(enum monoid monoid, enum dtype dtype)
{
    switch (monoid) {
    case MONOID_count:
        return count_launchers[dtype];
    case MONOID_prod:
        return dtype < DTYPE_FLOATS_END
                   ? prod_float_launchers[dtype]
                   : prod_integer_launchers[dtype - DTYPE_FLOATS_END];
    case MONOID_extrema:
    case MONOID_absextrema:
        return extrema_launchers[monoid == MONOID_absextrema][dtype];
    default:
        break;
    }
    const int map = monoid_map(monoid);
    return dtype < DTYPE_FLOATS_END
               ? sum_float_launchers[map][dtype]
               : sum_integer_launchers[map][dtype - DTYPE_FLOATS_END];
}

cudaError_t gpu_launch(unsigned monoids, enum dtype dtype,
                       const struct gpu_chunk *chunk, cudaStream_t stream)
{
    const unsigned both = MONOID_BIT(sum) | MONOID_BIT(sumsq);
    cudaError_t code = cudaSuccess;
    if (dtype < DTYPE_FLOATS_END && (monoids & both) == both) {
        code = moments_launchers[dtype](chunk, stream);
        monoids &= ~both;
    }
    for (int m = 0; code == cudaSuccess && m < MONOIDS_END; m++) {
        struct gpu_chunk part = *chunk;
        part.scratch = (char *)chunk->scratch + m * GPU_SCRATCH_PART;
        if (monoids >> m & 1)
            code = find((enum monoid)m, dtype)(&part, stream);
    }
    return code;
}

static __global__ void nothing()
{
}

cudaError_t gpu_check_image(void)
{
    struct cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, (const void *)nothing);
}
