/* SPDX-License-Identifier: MIT */
/* Between the kernel families and launch.cu: each family fills its rows. For
 * device compilers only. */
#pragma once

#include "kernels/common/launch.h"

/* The tables are in the order of DTYPES: one more dtype needs a place in each. */
static_assert(DTYPE_FLOATS_END == 4 && DTYPES_END == 12, "the tables");

typedef cudaError_t launch_fn(const struct gpu_chunk *chunk,
                              cudaStream_t stream);

/* Each family has two tables: over elements, and over columns of text. */
#define TABLES(family, size)                                                   \
    extern launch_fn *const family##_over_elements size,                       \
        *const family##_over_columns size

TABLES(count, [DTYPES_END]);
TABLES(extrema, [2][DTYPES_END]); /* magnitudes: 1 */
TABLES(prod_float, [4]);          /* f16 bf16 f32 f64; not over columns */
TABLES(prod_integer, [8]);        /* i8 ... u64 */
TABLES(moments, [4]);             /* sum and sumsq */

/* By enum exact_map. */
TABLES(sum_float, [3][4]);   /* f16 bf16 f32 f64 */
TABLES(sum_integer, [3][8]); /* i8 ... u64 */
#undef TABLES
