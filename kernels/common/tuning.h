/* SPDX-License-Identifier: MIT */
/*
 * The shapes of the launches: the numbers to turn. For device compilers only.
 */
#pragma once

constexpr int THREADS = 256; /* of a block */

/* A function of device code that is inline wherever it is called. */
#define DEVICE __device__ __forceinline__

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

/* Of a kernel whose launches have a shape. */
#define KERNEL(shape) __global__ __launch_bounds__(THREADS, blocks_of(shape))

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
/* resident 4: with 5, f64 spill, and lose 0.27. */
constexpr struct shape EXTREMA_WIDE = {4, 4, 2};
constexpr struct shape SUM_INTEGER = {4, 6, 2};
constexpr struct shape SUM_FLOAT = {4, 4, 2};
/* waves 4: with 2, bf16 loses 0.02; with 8, f16 0.02. */
constexpr struct shape SQUARES_NARROW = {4, 4, 4};
/* resident 3: with 4, both sums of f16 and bf16 lose 0.05; with 2, those of f64
 * 0.13 and of f32 0.13. */
constexpr struct shape MOMENTS = {4, 3, 2};
/* resident 3: with 4, f32 loses 0.08; f16 and bf16 lose 0.03 to 0.06 with 3.
 * waves 8: with 2, f16 loses 0.04, bf16 0.03, f32 0.02. */
constexpr struct shape PROD = {8, 3, 8};
constexpr struct shape PROD_NARROW = {8, 4, 8};
constexpr struct shape PROD_INTEGER = {4, 4, 2};

/*
 * Of four vectors so many are read to be dropped first from the caches, so that
 * some of what is larger than those is still there when it is read again. With
 * 0, 64 MiB of f32 that are read again and again take 18.2 us to sum instead of
 * 16.4 (with 2, 14.2); 32 MiB of f64 take 6.8 us with 0, 7.1 with 1, 7.5 with
 * 2, 9.0 with 4. Over 4 GiB all are within 0.003.
 */
constexpr int STREAMED = 1;

/*
 * Where there are few tiles, each has a block, whose code needs no loop: tiles
 * of one vector a thread up to ONCE_SMALL_TILES, whole ones up to ONCE_TILES,
 * as many as are resident. Without small ones, 2^12 f32 take 2.0 us to sum
 * instead of 1.56; with 264 of them, 2^18 take 3.6 instead of 2.2, as each warp
 * adds its own. Whole ones gain 0.03 to 0.2 us; twice as many lose 0.9 at 2^22.
 */
constexpr size_t ONCE_SMALL_TILES = 96;
constexpr size_t ONCE_TILES = 528;
constexpr int ONCE_RESIDENT = 4;
