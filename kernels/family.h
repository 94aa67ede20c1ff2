/* SPDX-License-Identifier: MIT */
/* Between the kernel families and launch.cu: each family fills its rows. For
 * device compilers only. */
#pragma once

#include "launch.h"

/* The tables are in the order of DTYPES: one more dtype needs a place in each. */
static_assert(DTYPE_FLOATS_END == 4 && DTYPES_END == 12, "the tables");

typedef cudaError_t launch_fn(const struct gpu_chunk *chunk,
                              cudaStream_t stream);

extern launch_fn *const count_launchers[DTYPES_END];
extern launch_fn *const extrema_launchers[2][DTYPES_END]; /* magnitudes: 1 */
extern launch_fn *const prod_float_launchers[4]; /* f16 bf16 f32 f64 */
extern launch_fn *const prod_integer_launchers[8]; /* i8 ... u64 */

/* By enum exact_map. */
extern launch_fn *const sum_float_launchers[3][4];   /* f16 bf16 f32 f64 */
extern launch_fn *const moments_launchers[4]; /* sum and sumsq */
extern launch_fn *const sum_integer_launchers[3][8]; /* i8 ... u64 */
