/* SPDX-License-Identifier: MIT */
/*
 * The shapes of the launches: the numbers to turn. For device compilers only.
 */
#pragma once

constexpr int THREADS = 256; /* of a block */

struct shape {
    int unroll;   /* vectors of 16 bytes that a thread has in flight */
    int resident; /* blocks a multiprocessor, which bounds the registers */
    int grid;     /* blocks a multiprocessor that are launched at most */
};

constexpr struct shape COUNT = {4, 6, 12};
constexpr struct shape EXTREMA = {4, 6, 12};
constexpr struct shape SUM_INTEGER = {4, 6, 12};
constexpr struct shape SUM_FLOAT = {4, 4, 8};
constexpr struct shape SUM_FLOAT_WIDE = {4, 3, 8};
constexpr struct shape PROD = {8, 4, 8};
constexpr struct shape PROD_INTEGER = {4, 4, 8};
