/* SPDX-License-Identifier: MIT */
/*
 * Plain functions in place of the kernel launchers of sets and of the CUDA
 * runtime calls that they need. A check fails if two threads call them in
 * parallel. Values are integers below VALUES, and the only set is an array of
 * flags. A float whose bits are no such integer is NaN.
 */
#pragma once

#include <stdatomic.h>

#include "backend/cuda/memory.h"
#include "check.h"
#include "kernels/distinct/distinct.h"
#include "reduce/hash.h"

enum { VALUES = 256 };

static bool seen[VALUES];
static size_t most = SIZE_MAX; /* values that fit into device memory */
static _Atomic int inside, opened;

static cudaError_t entered(cudaError_t code)
{
    CHECK(atomic_fetch_add(&inside, 1) == 0);
    for (volatile int i = 0; i < 1000; i++)
        ;
    atomic_fetch_sub(&inside, 1);
    return code;
}

static size_t count_seen(void)
{
    size_t n = 0;
    for (int i = 0; i < VALUES; i++)
        n += seen[i];
    return n;
}

cudaError_t gpu_set_open(struct gpu_set *s, enum dtype dtype, cudaStream_t q)
{
    *s = (struct gpu_set){.dtype = dtype};
    opened++;
    return gpu_set_clear(s, q);
}

void gpu_set_close(struct gpu_set *s)
{
    (void)s;
    opened--;
}

cudaError_t gpu_set_clear(struct gpu_set *s, cudaStream_t q)
{
    (void)s;
    (void)q;
    memset(seen, 0, sizeof seen);
    return entered(cudaSuccess);
}

/* The caller's first reserve asks for much. If that fails, it continues with
 * less. */
cudaError_t gpu_set_reserve(struct gpu_set *s, size_t n)
{
    s->most = count_seen();
    return entered(s->most + n <= most ? cudaSuccess
                                       : cudaErrorMemoryAllocation);
}

static uint64_t value_at(enum dtype dtype, const void *data, size_t i)
{
    uint64_t x = 0;
    memcpy(&x, (const char *)data + i * dtype_size(dtype), dtype_size(dtype));
    return x;
}

cudaError_t gpu_set_add(struct gpu_set *s, const void *data, size_t n,
                        cudaStream_t q)
{
    (void)q;
    for (size_t i = 0; i < n; i++)
        seen[value_at(s->dtype, data, i)] = true;
    return entered(cudaSuccess);
}

cudaError_t gpu_set_count(const struct gpu_set *s, uint64_t *n, bool *has_nan)
{
    (void)s;
    *n = count_seen();
    *has_nan = false;
    return entered(cudaSuccess);
}

cudaError_t gpu_set_list(const struct gpu_set *s, uint64_t *key, size_t *n)
{
    CHECK(dtype_size(s->dtype) < 4);
    *n = 0;
    for (int i = 0; i < VALUES; i++) {
        if (seen[i])
            key[(*n)++] = (uint64_t)i;
    }
    return entered(cudaSuccess);
}

cudaError_t gpu_estimate_add(enum dtype dtype, const void *data, size_t n,
                             uint32_t *registers, cudaStream_t q)
{
    (void)q;
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = value_at(dtype, data, i), hash = hash_value(x);
        if (dtype_is_float(dtype) && x >= VALUES) {
            registers[ESTIMATE_NAN] = 1;
            continue;
        }
        uint32_t *at = registers + sketch_register(hash);
        *at = *at > sketch_value(hash) ? *at : sketch_value(hash);
    }
    return entered(cudaSuccess);
}

bool cuda_check(cudaError_t code, const char *doing, struct error *e)
{
    return code == cudaSuccess || error_set(e, ERROR_DEVICE, "%s", doing);
}

cudaError_t cudaMalloc(void **to, size_t bytes)
{
    *to = malloc(bytes);
    return *to ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudaFree(void *at)
{
    free(at);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t n,
                       enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, n);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *at, int byte, size_t n, cudaStream_t q)
{
    (void)q;
    memset(at, byte, n);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t q)
{
    (void)q;
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}
