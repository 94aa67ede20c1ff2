// SPDX-License-Identifier: MIT
// The tables of the families, put together.
#include "family.h"

// A monoid's launchers: floats first, as in DTYPES.
struct launchers {
    launch_fn *const *of_floats, *const *of_integers;
};

#define ALIKE(rows) {rows, rows + DTYPE_FLOATS_END}
#define SUM(map) {sum_float_launchers[map], sum_integer_launchers[map]}

// In the order of MONOIDS; none of what GPU_MONOIDS lacks.
static const struct launchers table[] = {
    ALIKE(count_launchers),
    SUM(EXACT_VALUE),
    SUM(EXACT_MAGNITUDE),
    SUM(EXACT_SQUARE),
    {prod_float_launchers, prod_integer_launchers},
    ALIKE(extrema_launchers[0]),
    ALIKE(extrema_launchers[1]),
};
static_assert(GPU_MONOIDS == (1u << sizeof table / sizeof table[0]) - 1,
              "a row for each");

static launch_fn *find(int monoid, enum dtype dtype)
{
    return dtype < DTYPE_FLOATS_END
               ? table[monoid].of_floats[dtype]
               : table[monoid].of_integers[dtype - DTYPE_FLOATS_END];
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
        part.scratch = (char *)chunk->scratch + m * gpu_scratch_part(chunk->columns.count);
        if (monoids >> m & 1)
            code = find(m, dtype)(&part, stream);
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
