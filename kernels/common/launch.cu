// SPDX-License-Identifier: MIT
// Finds a launcher by monoid and dtype in the tables of the kernel families.
#include "kernels/common/family.h"

// A monoid's launchers for float and for integer dtypes, both [dtype].
struct launchers {
    launch_fn *const *of_floats, *const *of_integers;
};

#define ALIKE(rows) \
    {               \
        rows, rows  \
    }
#define SUM(over, map)                                 \
    {                                                  \
        sum_float_##over[map], sum_integer_##over[map] \
    }
#define TABLE(over, prod_float)                                          \
    {                                                                    \
        ALIKE(count_##over), SUM(over, EXACT_VALUE),                     \
            SUM(over, EXACT_MAGNITUDE), SUM(over, EXACT_SQUARE),         \
            {prod_float, prod_integer_##over}, ALIKE(extrema_##over[0]), \
            ALIKE(extrema_##over[1])                                     \
    }

// [over columns][monoid]. Only the monoids of GPU_MONOIDS, the first ones of
// MONOIDS, have rows.
static const struct launchers table[2][MONOID_absextrema + 1] = {
    TABLE(over_elements, prod_float_over_elements),
    TABLE(over_columns, nullptr),
};
static_assert(GPU_MONOIDS == (1u << sizeof table[0] / sizeof table[0][0]) - 1,
              "a row for each");

static launch_fn *find(bool columns, int monoid, enum dtype dtype)
{
    const struct launchers *row = &table[columns][monoid];
    return (dtype_is_float(dtype) ? row->of_floats : row->of_integers)[dtype];
}

cudaError_t gpu_launch(unsigned monoids, enum dtype dtype,
                       const struct gpu_chunk *chunk, cudaStream_t stream)
{
    // One kernel computes both sums of floats in a single read.
    const unsigned both = MONOID_BIT(sum) | MONOID_BIT(sumsq);
    const bool columns = chunk->columns.count != 0;
    cudaError_t code = cudaSuccess;
    if (dtype_is_float(dtype) && (monoids & both) == both) {
        code = (columns ? moments_over_columns
                        : moments_over_elements)[dtype](chunk, stream);
        monoids &= ~both;
    }
    for (int m = 0; code == cudaSuccess && m < MONOIDS_END; m++) {
        struct gpu_chunk part = *chunk;
        part.scratch =
            (char *)chunk->scratch + m * gpu_scratch_part(chunk->columns.count);
        if (monoids >> m & 1)
            code = find(columns, m, dtype)(&part, stream);
    }
    return code;
}

// The runtime fails to find this kernel's attributes if the build holds no code
// for the current device.
static __global__ void nothing()
{
}

cudaError_t gpu_check_image(void)
{
    struct cudaFuncAttributes attributes;
    return cudaFuncGetAttributes(&attributes, (const void *)nothing);
}
