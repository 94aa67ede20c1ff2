// SPDX-License-Identifier: MIT
//
// Counts keys in the bins of ranges. A block counts in shared memory. Each bin
// has a few counters in neighbouring banks, which lanes use in turn, so that
// lanes with random bins collide less often. If all keys of a thread's vector,
// or of a warp, are in one bin, they take one addition: constant or sorted data
// have no others.
#include "kernels/rank/keys.cuh"

constexpr int UNROLL = 4, COPIES_MOST = 8;

// As the kernel takes them, and a block's counters.
struct bins {
    struct gpu_ranges ranges;
    uint64_t flip;
    uint32_t copies;
    uint64_t *count;
};

// Takes the address in shared memory, which the compiler would otherwise
// compute again each time.
static DEVICE void add_to_counter(uint32_t at, uint32_t n)
{
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(n) : "memory");
}

// SINGLE: there is one range, which most passes have.
template <class U, bool FLOAT, bool SINGLE> struct bin_counter {
    static constexpr int lanes = 16 / sizeof(U);
    const struct bins &of;
    uint32_t first, each; // the lane's counter of bin 0, and bytes to the next

    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    DEVICE void add(uint32_t bin, uint32_t n)
    {
        add_to_counter(first + bin * each, n);
    }

    DEVICE void one(U x, size_t)
    {
        const U key = key_of_element<U, FLOAT>(x, (U)of.flip);
        for (unsigned r = 0; r < (SINGLE ? 1 : of.ranges.n); r++) {
            const struct gpu_range &range = of.ranges.at[r];
            U d;
            if (in_range(key, (U)range.low, (U)range.span, &d))
                add(range.first + (uint32_t)(d >> range.shift), 1);
        }
    }

    // Adds the keys of a vector, if the thread has one.
    DEVICE void vector(const U *key, const struct gpu_range &range, bool there)
    {
        uint32_t bin[lanes];
        bool in[lanes], alike = true;
#pragma unroll
        for (int j = 0; j < lanes; j++) {
            U d;
            in[j] = in_range(key[j], (U)range.low, (U)range.span, &d) && there;
            bin[j] = range.first + (uint32_t)(U)(d >> range.shift);
            alike = alike && in[j] && bin[j] == bin[0];
        }
        const uint32_t other = __shfl_sync(~0u, bin[0], 0);
        if (__all_sync(~0u, alike && bin[0] == other)) {
            if (threadIdx.x % 32 == 0)
                add(other, 32 * lanes);
        } else if (alike) {
            add(bin[0], lanes);
        } else {
#pragma unroll
            for (int j = 0; j < lanes; j++) {
                if (in[j])
                    add(bin[j], 1);
            }
        }
    }

    DEVICE void tile(const vector16<U> *v, const U *, size_t, int present)
    {
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            U key[lanes];
#pragma unroll
            for (int j = 0; j < lanes; j++)
                key[j] = key_of_element<U, FLOAT>(v[u].at[j], (U)of.flip);
            if (SINGLE) {
                vector(key, of.ranges.at[0], u < present);
            } else {
                for (unsigned r = 0; r < of.ranges.n; r++)
                    vector(key, of.ranges.at[r], u < present);
            }
        }
    }
};

template <class U, bool FLOAT, bool SINGLE>
static __global__
__launch_bounds__(THREADS) void count_bins(const U *data, size_t n,
                                           const struct bins of)
{
    extern __shared__ uint32_t counters[];
    const uint32_t all = of.ranges.bins * of.copies;
    for (uint32_t i = threadIdx.x; i < all; i += THREADS)
        counters[i] = 0;
    __syncthreads();
    bin_counter<U, FLOAT, SINGLE> counter{
        of,
        (uint32_t)__cvta_generic_to_shared(counters + threadIdx.x % of.copies),
        4 * of.copies};
    each_tile<UNROLL>(data, n, counter);
    __syncthreads();
    for (uint32_t b = threadIdx.x; b < of.ranges.bins; b += THREADS) {
        uint64_t sum = 0;
        for (uint32_t c = 0; c < of.copies; c++)
            sum += counters[b * of.copies + c];
        add_global(of.count + b, sum);
    }
}

// As many as fit a quarter of the shared memory, since four blocks share it; a
// power of two.
static uint32_t copies_for(unsigned bins)
{
    uint32_t copies = COPIES_MOST;
    while (copies > 1 && copies * bins > 12288)
        copies /= 2;
    return copies;
}

template <class U, bool FLOAT, bool SINGLE>
static cudaError_t launch_count(const void *data, size_t n,
                                const struct bins &of, cudaStream_t stream)
{
    const size_t shared = of.ranges.bins * of.copies * sizeof(uint32_t);
    auto *kernel = count_bins<U, FLOAT, SINGLE>;
    const cudaError_t code = cudaFuncSetAttribute(
        (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int)shared);
    if (code != cudaSuccess)
        return code;
    // At its end a block adds its counters, which takes as long as a few tiles.
    const int blocks = resident_blocks(kernel, THREADS, shared,
                                       n / tile_size<U, UNROLL> + 1, 8);
    kernel<<<blocks, THREADS, shared, stream>>>((const U *)data, n, of);
    return cudaGetLastError();
}

template <class U, bool FLOAT> struct counting {
    static cudaError_t run(const void *data, size_t n, const struct bins *of,
                           cudaStream_t stream)
    {
        return of->ranges.n == 1
                   ? launch_count<U, FLOAT, true>(data, n, *of, stream)
                   : launch_count<U, FLOAT, false>(data, n, *of, stream);
    }
};

// A block's counters have 32 bits.
constexpr size_t COUNTED_MOST = (size_t)1 << 31;

cudaError_t gpu_rank_count(enum dtype dtype, const void *data, size_t n,
                           const struct gpu_ranges *ranges, uint64_t *count,
                           cudaStream_t stream)
{
    const struct bins of = {*ranges, flip_of(dtype), copies_for(ranges->bins),
                            count};
    const size_t size = dtype_size(dtype);
    cudaError_t code = cudaSuccess;
    for (size_t i = 0; code == cudaSuccess && i < n; i += COUNTED_MOST) {
        const size_t m = n - i < COUNTED_MOST ? n - i : COUNTED_MOST;
        code = by_dtype<counting>(dtype,
                                  (const void *)((const char *)data + i * size),
                                  m, &of, stream);
    }
    return code;
}
