/* SPDX-License-Identifier: MIT */
/*
 * What all batches share, and the parts of which batches of AVX2 and of NEON
 * consist: vectors of GNU C, with lanes of 64 bits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define BATCH_INLINE static inline __attribute__((always_inline))

/* Defines a function whose result is the last argument. */
#define BATCH_VALUE(result, name, arguments, ...) \
    BATCH_INLINE result name arguments            \
    {                                             \
        return (result)(__VA_ARGS__);             \
    }

enum { BATCH = 8 };

#if defined(__x86_64__)
enum { PART_BYTES = 32 };
#else
enum { PART_BYTES = 16 };
#endif
enum { PART_LANES = PART_BYTES / 8, BATCH_PARTS = BATCH / PART_LANES };

typedef uint64_t batch_part __attribute__((vector_size(PART_BYTES)));
typedef double batch_real __attribute__((vector_size(PART_BYTES)));
typedef uint8_t batch_text __attribute__((vector_size(PART_BYTES)));
typedef int8_t batch_signed __attribute__((vector_size(PART_BYTES)));

/* Powers of ten, all exact. The entries after 10^22 are not used. */
/* clang-format off */
static const double batch_powers[32] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
/* clang-format on */
