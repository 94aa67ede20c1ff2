/* SPDX-License-Identifier: MIT */
/* Constants that batches of AVX2 and of AVX-512 share. */
#pragma once

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define BATCH_INLINE static inline __attribute__((always_inline))

enum { BATCH = 8 };

/* Powers of ten, all exact. The entries after 10^22 are not used. */
/* clang-format off */
static const double batch_powers[32] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
/* clang-format on */
