// SPDX-License-Identifier: MIT
// Finds the numbers of keys that are elements. Such a key is a word, made as in
// by/element.h.
#include "kernels/by/dictionary.cuh"
#include "kernels/common/source.cuh"

static __global__ __launch_bounds__(THREADS) void by_find_kernel(
    const __grid_constant__ struct gpu_by_dictionary d, const uint64_t *word,
    unsigned n, uint32_t *number, unsigned *unkeyed)
{
    bool lacks = false;
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n;
         i += gridDim.x * THREADS) {
        struct gpu_by_key key = {};
        key.word[0] = word[i];
        key.bytes = sizeof *word;
        number[i] = find_key(d, key);
        lacks |= number[i] == (unsigned)GPU_BY_NONE;
    }
    if (lacks)
        atomicOr(unkeyed, 1u);
}

cudaError_t gpu_by_find(const struct gpu_by_dictionary *d, const uint64_t *word,
                        unsigned n, uint32_t *number, unsigned *unkeyed,
                        cudaStream_t stream)
{
    const cudaError_t code =
        cudaMemsetAsync(unkeyed, 0, sizeof *unkeyed, stream);
    if (code != cudaSuccess || n == 0)
        return code;
    by_find_kernel<<<grid_for(n, 4, 1, 8), THREADS, 0, stream>>>(
        *d, word, n, number, unkeyed);
    return cudaGetLastError();
}
