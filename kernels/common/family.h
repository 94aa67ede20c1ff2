/* SPDX-License-Identifier: MIT */
/* Between the kernel families and launch.cu: each family fills its rows. For
 * device compilers only. */
#pragma once

#include "kernels/common/launch.h"

typedef cudaError_t launch_fn(const struct gpu_chunk *chunk,
                              cudaStream_t stream);

/* Each family has two tables: over elements, and over columns of text. */
#define TABLES(family, size)                             \
    extern launch_fn *const family##_over_elements size, \
        *const family##_over_columns size

/* The launchers of a family, which its function template `launch` makes: of
 * each dtype, and for each map of sums. Those of dtypes that a family is not
 * for say cudaErrorNotSupported. */
#define LAUNCH(name, ...) launch<DTYPE_##name>,
#define LAUNCH_VALUES(name, ...) launch<DTYPE_##name, EXACT_VALUE>,
#define LAUNCH_MAGNITUDES(name, ...) launch<DTYPE_##name, EXACT_MAGNITUDE>,
#define LAUNCH_SQUARES(name, ...) launch<DTYPE_##name, EXACT_SQUARE>,
#define LAUNCH_MAPS                                           \
    {                                                         \
        {DTYPES(LAUNCH_VALUES)}, {DTYPES(LAUNCH_MAGNITUDES)}, \
        {                                                     \
            DTYPES(LAUNCH_SQUARES)                            \
        }                                                     \
    }

TABLES(count, [DTYPES_END]);
TABLES(extrema, [2][DTYPES_END]); /* magnitudes: 1 */
TABLES(prod_float, [DTYPES_END]); /* not over columns */
TABLES(prod_integer, [DTYPES_END]);
TABLES(moments, [DTYPES_END]); /* sum and sumsq, of floats */

/* By enum exact_map. */
TABLES(sum_float, [3][DTYPES_END]);
TABLES(sum_integer, [3][DTYPES_END]);
#undef TABLES
