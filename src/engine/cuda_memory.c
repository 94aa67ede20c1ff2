/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "engine/cuda_memory.h"

#include <stdlib.h>
#include <sys/mman.h>

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

/*
 * Pinned memory. Pinning is by the page and under the driver's lock, 2 ms for 4
 * MiB and one lane after the other; of huge pages, brought in by this thread
 * beforehand, there are 512 times fewer. Where that fails, the driver's own.
 */
void cuda_pin_prepare(struct cuda_pinned *p, size_t bytes)
{
    const size_t huge = 2 << 20;
    p->bytes = (bytes + huge - 1) / huge * huge;
    p->at = aligned_alloc(huge, p->bytes);
    if (!p->at)
        return;
    madvise(p->at, p->bytes, MADV_HUGEPAGE);
    for (size_t i = 0; i < p->bytes; i += 4096)
        ((volatile char *)p->at)[i] = 0;
}

bool cuda_pin(struct cuda_pinned *p, struct error *e)
{
    if (p->at) {
        p->registered = cudaHostRegister(p->at, p->bytes, 0) == cudaSuccess;
        if (p->registered)
            return true;
        cudaGetLastError(); /* or the next launch would be told of it */
        free(p->at);
        p->at = NULL;
    }
    return cuda_check(cudaHostAlloc(&p->at, p->bytes, cudaHostAllocDefault),
                      "no pinned memory", e);
}

void cuda_unpin(struct cuda_pinned *p)
{
    if (p->registered) {
        cudaHostUnregister(p->at);
        free(p->at);
    } else {
        cudaFreeHost(p->at);
    }
}

void *cuda_cut(char **block, size_t bytes)
{
    void *part = *block;
    *block += (bytes + 255) / 256 * 256;
    return part;
}
