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

/* More blocks than are resident at a time have at least so many tiles. */
constexpr int TILES_OF_A_BLOCK = 8;

/* Float sums: how often the block's warps ask each other for a miss. */
constexpr int TILES_OF_A_LOOK = 8;

constexpr struct shape COUNT = {4, 6, 2};
constexpr struct shape EXTREMA = {4, 5, 2};
constexpr struct shape SUM_INTEGER = {4, 6, 2};
constexpr struct shape SUM_FLOAT = {4, 4, 2};
constexpr struct shape MOMENTS = {4, 3, 2};
constexpr struct shape MOMENTS_NARROW = {4, 3, 2};
constexpr struct shape PROD = {8, 3, 2};
constexpr struct shape PROD_NARROW = {8, 4, 2};
constexpr struct shape PROD_INTEGER = {4, 4, 2};
