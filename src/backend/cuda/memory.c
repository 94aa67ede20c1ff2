/* SPDX-License-Identifier: MIT */
#include "backend/cuda/memory.h"

bool cuda_check(cudaError_t code, const char *doing, struct error *e)
{
    if (code == cudaSuccess)
        return true;
    return error_set(e, ERROR_DEVICE, "GPU: %s: %s%s", doing,
                     cudaGetErrorString(code),
                     code == cudaErrorMemoryAllocation
                         ? "\nTry fewer --threads, a smaller --chunk-size, or "
                           "--device cpu."
                         : "");
}

void *cuda_cut(char **block, size_t bytes)
{
    void *part = *block;
    *block += (bytes + 255) / 256 * 256;
    return part;
}
