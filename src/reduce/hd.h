/* SPDX-License-Identifier: MIT */
/* Marks functions of headers that are legal in C11 and in device code. */
#pragma once

#ifdef __CUDACC__
#define HD __host__ __device__ static __forceinline__
#else
#define HD static inline
#endif
