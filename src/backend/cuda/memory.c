/* SPDX-License-Identifier: MIT */
#include "backend/cuda/memory.h"

bool cuda_check(cudaError_t code, const char *doing, struct error *e)
{
    const bool lacks_memory = code == cudaErrorMemoryAllocation;
    if (code == cudaSuccess)
        return true;
    error_set(e, ERROR_DEVICE, "GPU: %s: %s%s", doing, cudaGetErrorString(code),
              lacks_memory
                  ? "\nTry fewer --threads, a smaller --chunk-size, or "
                    "--device cpu."
                  : "");
    e->lacks_memory = lacks_memory;
    cudaGetLastError(); /* clears it, or the next launch would report it */
    return false;
}

bool cuda_to_device(void *to, const void *from, size_t bytes,
                    cudaStream_t stream, struct error *e)
{
    return cuda_check(
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream),
        "copying to it", e);
}

bool cuda_to_host(void *to, const void *from, size_t bytes, cudaStream_t stream,
                  struct error *e)
{
    return cuda_check(
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream),
        "copying results", e);
}

void *cuda_cut(char **block, size_t bytes)
{
    void *part = *block;
    *block += (bytes + 255) / 256 * 256;
    return part;
}
