// SPDX-License-Identifier: MIT
//
// The registers of an estimate of the number of distinct values. A block copies
// them to shared memory when it starts, and at its end writes back those that
// it has raised. Most elements raise none, so a register is read before it is
// written.
#include "kernels/distinct/canonical.cuh"

constexpr int UNROLL = 4;

template <class U, bool FLOAT> struct estimator {
    static constexpr int lanes = 16 / sizeof(U);
    uint32_t *registers;
    U inf;
    bool has_nan = false;

    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    DEVICE void one(U x, size_t)
    {
        const U magnitude = x & (U)(~(U)0 >> 1);
        const bool is_nan = FLOAT && magnitude > inf;
        const uint64_t hash = hash_value(FLOAT && magnitude == 0 ? 0 : x);
        uint32_t *at = registers + sketch_register(hash);
        const uint32_t value = sketch_value(hash);
        has_nan |= is_nan;
        if (*at < value && !is_nan)
            atomicMax(at, value);
    }

    DEVICE void tile(const vector16<U> *v, const U *, size_t, int)
    {
#pragma unroll
        for (int i = 0; i < UNROLL * lanes; i++)
            one(v[i / lanes].at[i % lanes], 0);
    }
};

template <class U, bool FLOAT>
static __global__ __launch_bounds__(THREADS) void estimate(const U *data,
                                                           size_t n, U inf,
                                                           uint32_t *registers)
{
    extern __shared__ uint32_t raised[];
    for (int i = threadIdx.x; i < ESTIMATE_WORDS; i += THREADS)
        raised[i] = __ldcg(registers + i);
    __syncthreads();
    estimator<U, FLOAT> acc{raised, inf};
    each_tile<UNROLL>(data, n, acc);
    if (acc.has_nan)
        raised[ESTIMATE_NAN] = 1;
    __syncthreads();
    for (int i = threadIdx.x; i < ESTIMATE_WORDS; i += THREADS) {
        if (raised[i] > __ldcg(registers + i))
            atomicMax(registers + i, raised[i]);
    }
}

template <class U, bool FLOAT>
static cudaError_t launch(const void *data, size_t n, uint64_t inf,
                          uint32_t *registers, cudaStream_t stream)
{
    auto *kernel = estimate<U, FLOAT>;
    const size_t shared = ESTIMATE_WORDS * sizeof(uint32_t);
    const cudaError_t code = cudaFuncSetAttribute(
        (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int)shared);
    if (code != cudaSuccess)
        return code;
    const int blocks = resident_blocks(kernel, THREADS, shared,
                                       n / tile_size<U, UNROLL> + 1, 16);
    kernel<<<blocks, THREADS, shared, stream>>>((const U *)data, n, (U)inf,
                                                registers);
    return cudaGetLastError();
}

cudaError_t gpu_estimate_add(enum dtype dtype, const void *data, size_t n,
                             uint32_t *registers, cudaStream_t stream)
{
    const uint64_t inf = inf_bits(dtype);
    const bool is_wide = dtype_size(dtype) == 8;
    auto *run = is_wide ? inf ? launch<uint64_t, true> : launch<uint64_t, false>
                : inf ? launch<uint32_t, true>
                        : launch<uint32_t, false>;
    return dtype_size(dtype) < 4 ? cudaErrorNotSupported
                                 : run(data, n, inf, registers, stream);
}
