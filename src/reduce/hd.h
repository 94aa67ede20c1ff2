/* SPDX-License-Identifier: MIT */
/* Marks for functions in headers: HD, legal in C11 and in device code;
 * HD_CONSTANT, in addition constant if the arguments are; EXTERN_C, declared in
 * a C header and defined or called by C++. */
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
