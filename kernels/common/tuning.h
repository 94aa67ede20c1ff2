/* SPDX-License-Identifier: MIT */
/*
 * The shapes of the launches: the numbers to tune. For device compilers only.
 */
#pragma once

constexpr int THREADS = 256; /* in each block */

/* A function of device code that is inline wherever it is called. */
#define DEVICE __device__ __forceinline__

struct shape {
    int unroll;   /* vectors of 16 bytes that a thread has in flight */
    int resident; /* blocks per multiprocessor; bounds a thread's registers */
    int waves;    /* most blocks of a grid, in multiples of the resident ones */
};

/* Blocks per multiprocessor for __launch_bounds__: sm_75 has room for 1024
 * threads. */
constexpr int blocks_of(const struct shape &shape)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return shape.resident < 1024 / THREADS ? shape.resident : 1024 / THREADS;
#else
    return shape.resident;
#endif
}

/* Declares a kernel that is launched with this shape. */
#define KERNEL(shape) __global__ __launch_bounds__(THREADS, blocks_of(shape))

/* A grid has more than one wave (as many blocks as are resident) only if each
 * block still gets about this many tiles. */
constexpr int TILES_OF_A_BLOCK = 8;

/*
 * What each number gains on an H200, compared with another. Losses are shares
 * of the read-only bandwidth over 4 GiB in device memory, or times for a size.
 *
 * unroll 4: with 2 (and 6 blocks resident), extremes lose 0.004 to 0.011.
 *
 * waves 2: with 1, no new block starts where one ends early: 1 GiB of f32 takes
 *   256 us instead of 240 to sum. With 8, extremes lose 0.02.
 */
constexpr struct shape COUNT = {4, 6, 2};
constexpr struct shape EXTREMA = {4, 5, 2};
/* resident 4: with 5, f64 spills and loses 0.27. */
constexpr struct shape EXTREMA_WIDE = {4, 4, 2};
constexpr struct shape SUM_INTEGER = {4, 6, 2};
constexpr struct shape SUM_FLOAT = {4, 4, 2};
/* waves 4: with 2, bf16 loses 0.02; with 8, f16 0.02. */
constexpr struct shape SQUARES_NARROW = {4, 4, 4};
/*
 * resident 3: with 4, both sums of f16 and bf16 lose 0.05; with 2, those of f64
 * and of f32 lose 0.13.
 *
 * f16 and bf16 are bound by instructions and by registers, which leave 3 blocks
 * (occupancy 35 %): issue slots are 57 and 56 % busy, ALU 31 and 41, heavy FMA
 * pipe 43 and 38. With three wide products an element, which numbers over many
 * binades take, issue slots are 48 % busy, heavy FMA 45. f32 and f64 are bound
 * by the latency of conversions and of f64, for whose results a warp spends 44
 * % of its waits: issue slots 48 %, FP64 pipe 31 to 32, XU (conversions of f32)
 * 25.
 */
constexpr struct shape MOMENTS = {4, 3, 2};
/*
 * PROD, resident 3: with 4, f32 loses 0.08. PROD_NARROW, resident 4: with 3,
 * f16 and bf16 lose 0.03 to 0.06. waves 8: with 2, f16 loses 0.04, bf16 0.03,
 * f32 0.02.
 *
 * f32 is bound by the latency of products and shuffles, 54 % of its waits (ALU
 * 53 %, issue slots 44). f16: ALU 60 %; a warp with a subnormal takes its slow
 * path, for which the others wait at the leaf's barrier, 44 % of the waits.
 */
constexpr struct shape PROD = {8, 3, 8};
constexpr struct shape PROD_NARROW = {8, 4, 8};
constexpr struct shape PROD_INTEGER = {4, 4, 2};

/*
 * Of every four vectors, this many are loaded with the hint that caches drop
 * them first, so that part of data larger than the caches is still there when
 * it is read again. Summing 64 MiB of f32 again and again takes 18.2 us with 0,
 * 16.4 with 1, 14.2 with 2; 32 MiB of f64 take 6.8 us with 0, 7.1 with 1, 7.5
 * with 2, 9.0 with 4. Over 4 GiB all values are within 0.003.
 */
constexpr int STREAMED = 1;

/*
 * A small input gets one block for each tile, whose code needs no loop: up to
 * ONCE_SMALL_TILES tiles of one vector a thread, above that up to ONCE_TILES
 * whole tiles, which is how many blocks are resident. Without small tiles, 2^12
 * f32 take 2.0 us to sum instead of 1.56; with up to 264 of them, 2^18 take 3.6
 * instead of 2.2, because each warp adds its own sum. Whole tiles gain 0.03 to
 * 0.2 us; twice as many lose 0.9 us at 2^22.
 *
 * Such a sum is a chain of latencies. Kernels that stop after a step, in graphs
 * of 20 launches, take (2^10 f32, one block): the launch 0.63 us; with the load
 * 0.98; the block's greatest exponent 1.01; windows, conversions and additions
 * 1.38; the block's sum and its deposit 1.52. With one vector a thread instead
 * of four, the whole takes 1.26. With more blocks, additions to one address
 * queue: 528 blocks that do nothing else take 0.93 us without an addition, 1.23
 * with one each, 2.36 with four and 4.20 with nine one after the other; 1.49
 * with eight by eight lanes of a warp, which go to memory together; and 0.94
 * with those spread over eight places.
 */
constexpr size_t ONCE_SMALL_TILES = 96;
constexpr size_t ONCE_TILES = 528;
constexpr int ONCE_RESIDENT = 4;
