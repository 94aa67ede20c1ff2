/* SPDX-License-Identifier: MIT */
/*
 * The shapes of the launches: the numbers to turn. For device compilers only.
 */
#pragma once

constexpr int THREADS = 256; /* of a block */

struct shape {
    int unroll;   /* vectors of 16 bytes that a thread has in flight */
    int resident; /* blocks a multiprocessor, which bounds the registers */
    int waves;    /* times the blocks that are resident are in the grid */
};

/* For __launch_bounds__: sm_75 has room for 1024 threads. */
constexpr int blocks_of(const struct shape &shape)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return shape.resident < 1024 / THREADS ? shape.resident : 1024 / THREADS;
#else
    return shape.resident;
#endif
}

/* More blocks than are resident at a time only where each has so many tiles. */
constexpr int TILES_OF_A_BLOCK = 8;

/*
 * Beside each number, what it is worth on an H200 (shares of reading alone, 4
 * GiB resident, or time at a size), against another.
 *
 * unroll 4: with 2 (and 6 blocks resident), extremes lose 0.004 to 0.011.
 * waves 2: with 1, all blocks end at their own pace and none takes over: 1 GiB
 *   of f32 takes 256 us instead of 240 to sum. With 8, extremes lose 0.02.
 */
constexpr struct shape COUNT = {4, 6, 2};
constexpr struct shape EXTREMA = {4, 5, 2};
constexpr struct shape SUM_INTEGER = {4, 6, 2};
constexpr struct shape SUM_FLOAT = {4, 4, 2};
/* resident 3: with 4, both sums of f16 and bf16 lose 0.05; with 2, those of f64
 * 0.13 and of f32 0.13. */
constexpr struct shape MOMENTS = {4, 3, 2};
/* resident 3: with 4, f32 loses 0.08; f16 and bf16 lose 0.03 to 0.06 with 3. */
constexpr struct shape PROD = {8, 3, 2};
constexpr struct shape PROD_NARROW = {8, 4, 2};
constexpr struct shape PROD_INTEGER = {4, 4, 2};
