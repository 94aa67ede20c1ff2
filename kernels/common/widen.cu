// SPDX-License-Identifier: MIT
//
// Converts elements of stored types to the type in which they are computed. A
// thread converts 16 elements: one load of 16 bytes, four stores.
#include "kernels/common/family.h"
#include "reduce/float_format.h"

constexpr int WIDEN_THREADS = 256, EACH = 16;

template <float CONVERT(uint8_t)>
static __global__ void widen_bytes(const uint8_t *from, size_t n, float *to)
{
    const size_t first =
        (blockIdx.x * (size_t)WIDEN_THREADS + threadIdx.x) * EACH;
    if (first + EACH <= n) {
        uint8_t b[EACH];
        float x[EACH];
        *(uint4 *)b = *(const uint4 *)(from + first);
#pragma unroll
        for (int i = 0; i < EACH; i++)
            x[i] = CONVERT(b[i]);
#pragma unroll
        for (int i = 0; i < EACH / 4; i++)
            ((float4 *)(to + first))[i] = ((float4 *)x)[i];
        return;
    }
    for (size_t i = first; i < n; i++)
        to[i] = CONVERT(from[i]);
}

cudaError_t gpu_widen(enum dtype stored, const void *from, size_t n, void *to,
                      cudaStream_t stream)
{
    const unsigned blocks =
        (unsigned)((n + WIDEN_THREADS * EACH - 1) / (WIDEN_THREADS * EACH));
    const uint8_t *bytes = (const uint8_t *)from;
    if (n == 0)
        return cudaSuccess;
    switch (stored) {
#define WIDEN(name, ...)                                                   \
    case DTYPE_##name:                                                     \
        widen_bytes<name##_to_float>                                       \
            <<<blocks, WIDEN_THREADS, 0, stream>>>(bytes, n, (float *)to); \
        break;
        STORED_DTYPES(WIDEN)
#undef WIDEN
    default:
        return cudaErrorNotSupported;
    }
    return cudaGetLastError();
}
