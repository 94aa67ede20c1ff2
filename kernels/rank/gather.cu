// SPDX-License-Identifier: MIT
//
// Gathers the keys that are in ranges.
#include "kernels/rank/keys.cuh"
#include "kernels/rank/stage.cuh"

constexpr int UNROLL = 4;

template <class U, bool FLOAT> struct gatherer {
    static constexpr int lanes = 16 / sizeof(U);
    const struct gpu_ranges &ranges;
    U flip;
    struct stage<U> to;

    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    DEVICE bool is_in(U key) const
    {
        bool in = false;
        U d;
        for (unsigned r = 0; r < ranges.n; r++)
            in = in ||
                 in_range(key, (U)ranges.at[r].low, (U)ranges.at[r].span, &d);
        return in;
    }

    DEVICE void one(U x, size_t)
    {
        const U key = key_of_element<U, FLOAT>(x, flip);
        if (is_in(key))
            to.add_one(key);
    }

    DEVICE void tile(const vector16<U> *v, const U *, size_t, int present)
    {
        U key[UNROLL * lanes];
        uint64_t bits = 0;
#pragma unroll
        for (int i = 0; i < UNROLL * lanes; i++)
            key[i] = key_of_element<U, FLOAT>(v[i / lanes].at[i % lanes], flip);
        for (unsigned r = 0; r < ranges.n; r++) {
            const U low = (U)ranges.at[r].low, span = (U)ranges.at[r].span;
            U d;
#pragma unroll
            for (int i = 0; i < UNROLL * lanes; i++)
                bits |= (uint64_t)in_range(key[i], low, span, &d) << i;
        }
        if (present < UNROLL)
            bits &= ((uint64_t)1 << present * lanes) - 1;
        to.template add<UNROLL * lanes>(key, bits);
    }
};

template <class U, bool FLOAT>
static __global__ __launch_bounds__(THREADS) void gather_keys(
    const U *data, size_t n, const struct gpu_ranges ranges, U flip, U *out,
    uint64_t room, uint64_t *used)
{
    __shared__ stage_room<U> shared;
    gatherer<U, FLOAT> g{ranges, flip, {&shared, out, room, used}};
    each_tile<UNROLL>(data, n, g);
    g.to.flush();
}

template <class U, bool FLOAT> struct gathering {
    static cudaError_t run(const void *data, size_t n,
                           const struct gpu_ranges *ranges, uint64_t flip,
                           void *out, uint64_t room, uint64_t *used,
                           cudaStream_t stream)
    {
        auto *kernel = gather_keys<U, FLOAT>;
        const int blocks = resident_blocks(kernel, THREADS, 0,
                                           n / tile_size<U, UNROLL> + 1, 2);
        kernel<<<blocks, THREADS, 0, stream>>>((const U *)data, n, *ranges,
                                               (U)flip, (U *)out, room, used);
        return cudaGetLastError();
    }
};

cudaError_t gpu_rank_gather(enum dtype dtype, const void *data, size_t n,
                            const struct gpu_ranges *ranges, void *out,
                            uint64_t room, uint64_t *used, cudaStream_t stream)
{
    return by_dtype<gathering>(dtype, data, n, ranges, flip_of(dtype), out,
                               room, used, stream);
}
