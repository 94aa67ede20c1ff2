/* SPDX-License-Identifier: MIT */
/* The tables of launchers: each kernel family defines its own, and launch.cu
 * chooses from them. For device compilers only. */
#pragma once

#include "kernels/common/launch.h"

typedef cudaError_t launch_fn(const struct gpu_chunk *chunk,
                              cudaStream_t stream);

/* Each family has two tables: over elements, and over columns of text. */
#define TABLES(family, size)                             \
    extern launch_fn *const family##_over_elements size, \
        *const family##_over_columns size

/* Initialisers of a family's table: the family's function template `launch` for
 * each dtype and, for sums, for each map. The launcher of a dtype that the
 * family does not support returns cudaErrorNotSupported. */
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
TABLES(extrema, [2][DTYPES_END]); /* [1]: of magnitudes */
TABLES(prod_float, [DTYPES_END]); /* over_columns is not defined */
TABLES(prod_integer, [DTYPES_END]);
TABLES(moments, [DTYPES_END]); /* both sum and sumsq of floats */

/* The first index is an enum exact_map. */
TABLES(sum_float, [3][DTYPES_END]);
TABLES(sum_integer, [3][DTYPES_END]);
#undef TABLES
