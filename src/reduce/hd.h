/* SPDX-License-Identifier: MIT */
/* Marks functions of headers that are legal in C11 and in device code, those of
 * them that are constants where their arguments are, and those of C headers
 * that C++ defines or calls. */
#pragma once

#ifdef __CUDACC__
#define HD __host__ __device__ static __forceinline__
#define HD_CONSTANT constexpr HD
#else
#define HD static inline
#define HD_CONSTANT HD
#endif

#ifdef __cplusplus
#define EXTERN_C extern "C"
#else
#define EXTERN_C
#endif
