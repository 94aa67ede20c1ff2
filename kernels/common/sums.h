/* SPDX-License-Identifier: MIT */
/* The part of a result that holds sums. It is apart from launch.h because NVRTC
 * compiles it, too: reduce/formula.cuh. */
#pragma once

#include <stdint.h>

#include "reduce/exact.h"

/*
 * limb[] holds several partial sums, of floats or of integers. Blocks take them
 * in turn, because atomic additions to one address run one after the other. A
 * partial sum is its limbs, as in exact_add_limbs, followed by a count that is
 * not 0 if an addend was neither -0 nor NaN. Sums of integers leave that count
 * 0.
 */
enum { GPU_LIMBS = 320, GPU_SUMS_MAX = 8 };

struct gpu_sum {
    int64_t limb[GPU_LIMBS] __attribute__((aligned(128)));
    uint64_t nan, plus_inf, minus_inf;
};

/* GPU_SUM_STRIDE: elements of limb[] from one partial sum of this many limbs to
 * the next, a multiple of 128 bytes. GPU_SUMS: how many partial sums there
 * are. */
#define GPU_SUM_STRIDE(limbs) (((limbs) + 1 + 15) / 16 * 16)
#define GPU_SUMS(limbs)                               \
    (GPU_LIMBS / GPU_SUM_STRIDE(limbs) < GPU_SUMS_MAX \
         ? GPU_LIMBS / GPU_SUM_STRIDE(limbs)          \
         : GPU_SUMS_MAX)
