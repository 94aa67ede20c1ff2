/* SPDX-License-Identifier: MIT */
/* Marks functions of headers that are legal in C11 and in device code, and
 * those of them that are constants where their arguments are. */
#pragma once

#ifdef __CUDACC__
#define HD __host__ __device__ static __forceinline__
#define HD_CONSTANT constexpr HD
#else
#define HD static inline
#define HD_CONSTANT HD
#endif
