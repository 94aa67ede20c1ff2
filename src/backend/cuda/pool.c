/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "backend/cuda/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "backend/cuda/memory.h"

enum kind { KIND_DEVICE, KIND_PINNED, KIND_STREAM };

struct kept {
    struct kept *next;
    enum kind kind;
    struct cuda_block block; /* KIND_STREAM: `at` is the stream */
};

/* `lock` guards the list. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept *all;
/* A device lacked memory: its blocks are freed, not kept, because smaller ones
 * follow. */
static atomic_bool is_short;

static void destroy(enum kind kind, const struct cuda_block *b)
{
    if (kind == KIND_DEVICE) {
        cudaFree(b->at);
    } else if (kind == KIND_STREAM) {
        cudaStreamDestroy(b->at);
    } else if (b->registered) {
        cudaHostUnregister(b->at);
        free(b->at);
    } else {
        cudaFreeHost(b->at);
    }
}

/* Whether a kept entry is large enough and at most twice as large as asked. */
static bool suits(const struct kept *k, enum kind kind, int gpu, size_t bytes)
{
    return k->kind == kind && k->block.gpu == gpu && k->block.bytes >= bytes &&
           k->block.bytes / 2 <= bytes;
}

/* Removes and returns the first entry that suits or, with `any`, the first of
 * this kind and device; NULL if there is none. */
static struct kept *take_out(enum kind kind, int gpu, size_t bytes, bool any)
{
    pthread_mutex_lock(&lock);
    struct kept **at = &all;
    while (*at && !(any ? (*at)->kind == kind && (*at)->block.gpu == gpu
                        : suits(*at, kind, gpu, bytes)))
        at = &(*at)->next;
    struct kept *k = *at;
    if (k)
        *at = k->next;
    pthread_mutex_unlock(&lock);
    return k;
}

static bool take(struct cuda_block *b, enum kind kind, int gpu, size_t bytes)
{
    struct kept *k = take_out(kind, gpu, bytes, false);
    if (!k)
        return false;
    *b = k->block;
    free(k);
    return true;
}

/* Destroys an entry of this kind. False: there is none. Call when none suits
 * and another is about to be made, so that the pool stays small, or if memory
 * ran out. */
static bool drop_one(enum kind kind, int gpu)
{
    struct kept *k = take_out(kind, gpu, 0, true);
    if (!k)
        return false;
    destroy(kind, &k->block);
    free(k);
    return true;
}

static void give(enum kind kind, const struct cuda_block *b)
{
    struct kept *k = malloc(sizeof *k);
    if (!k) {
        destroy(kind, b);
        return;
    }
    pthread_mutex_lock(&lock);
    *k = (struct kept){all, kind, *b};
    all = k;
    pthread_mutex_unlock(&lock);
}

bool cuda_acquire_device(struct cuda_block *b, int gpu, size_t bytes,
                         struct error *e)
{
    if (take(b, KIND_DEVICE, gpu, bytes))
        return true;
    *b = (struct cuda_block){.bytes = bytes, .gpu = gpu};
    drop_one(KIND_DEVICE, gpu);
    bool ok;
    do {
        ok =
            cuda_check(cudaMalloc(&b->at, bytes), "no memory on the device", e);
        if (!ok)
            is_short = true;
    } while (!ok && e->lacks_memory && drop_one(KIND_DEVICE, gpu));
    return ok;
}

void cuda_release_device(struct cuda_block *b)
{
    if (b->at && is_short)
        destroy(KIND_DEVICE, b);
    else if (b->at)
        give(KIND_DEVICE, b);
    *b = (struct cuda_block){0};
}

/*
 * The driver pins page by page under its lock, which takes 2 ms for 4 MiB, one
 * context after the other. With huge pages there are 512 times fewer pages. So
 * this thread allocates and touches huge pages first. If that fails, cuda_pin
 * lets the driver allocate.
 */
void cuda_prepare_pinned(struct cuda_block *b, int gpu, size_t bytes)
{
    const size_t huge = 2 << 20;
    bytes = (bytes + huge - 1) / huge * huge;
    if (take(b, KIND_PINNED, gpu, bytes))
        return;
    *b = (struct cuda_block){
        .at = aligned_alloc(huge, bytes), .bytes = bytes, .gpu = gpu};
    if (!b->at)
        return;
    madvise(b->at, bytes, MADV_HUGEPAGE);
    for (size_t i = 0; i < bytes; i += 4096)
        ((volatile char *)b->at)[i] = 0;
}

bool cuda_pin(struct cuda_block *b, struct error *e)
{
    if (b->pinned)
        return true;
    drop_one(KIND_PINNED, b->gpu);
    b->registered =
        b->at && cudaHostRegister(b->at, b->bytes, 0) == cudaSuccess;
    b->pinned = b->registered;
    if (b->pinned)
        return true;
    /* Clears the error, which the next launch would report. */
    cudaGetLastError();
    free(b->at);
    b->at = NULL;
    b->pinned =
        cuda_check(cudaHostAlloc(&b->at, b->bytes, 0), "no pinned memory", e);
    return b->pinned;
}

void cuda_release_pinned(struct cuda_block *b)
{
    if (b->pinned)
        give(KIND_PINNED, b);
    else
        free(b->at);
    *b = (struct cuda_block){0};
}

bool cuda_acquire_stream(cudaStream_t *stream, int gpu, struct error *e)
{
    struct cuda_block b;
    *stream = NULL;
    if (!take(&b, KIND_STREAM, gpu, 0))
        return cuda_check(
            cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking),
            "no stream", e);
    *stream = b.at;
    return true;
}

void cuda_release_stream(cudaStream_t stream, int gpu)
{
    const struct cuda_block b = {.at = stream, .gpu = gpu};
    if (stream)
        give(KIND_STREAM, &b);
}
