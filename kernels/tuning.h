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

constexpr struct shape COUNT = {4, 6, 1};
constexpr struct shape EXTREMA = {4, 6, 1};
constexpr struct shape SUM_INTEGER = {4, 6, 1};
constexpr struct shape SUM_FLOAT = {4, 4, 1};
constexpr struct shape SUM_FLOAT_WIDE = {4, 3, 1};
constexpr struct shape PROD = {8, 4, 1};
constexpr struct shape PROD_INTEGER = {4, 4, 1};
