// SPDX-License-Identifier: MIT
//
// Values of 16 bits, or pairs of 8, in a bitmap. Each block has a bitmap in
// shared memory, which soon has nearly all values: so a thread looks up a whole
// tile before it tests whether one was missing. After some tiles a block merges
// its bitmap with the global one in both directions, so that not every block
// must see every value. Only few blocks do so after their first tile: with few
// values, all blocks would write the same words one after another. Once all
// bits are set, blocks stop reading.
#include "kernels/distinct/canonical.cuh"

constexpr int UNROLL = 4, WORDS = 1 << 11;

// Whether a block merges its bitmap after so many tiles.
static DEVICE bool meets_after(uint32_t tiles)
{
    return tiles == 1 ? blockIdx.x < 16
                      : tiles <= 16 && (tiles & (tiles - 1)) == 0;
}

// Without assembly the compiler tests the lowest bit of each word by itself,
// which takes two instructions more for each lookup.
static DEVICE uint32_t and3(uint32_t a, uint32_t b, uint32_t c)
{
    asm("lop3.b32 %0, %1, %2, %3, 0x80;" : "=r"(a) : "r"(a), "r"(b), "r"(c));
    return a;
}

struct bits16 {
    uint32_t *seen;

    // What was there before.
    static DEVICE uint4 missing(uint4 words)
    {
        return words;
    }

    DEVICE void one(uint16_t x, size_t)
    {
        const uint32_t bit = 1u << x % 32;
        if (!(seen[x / 32] & bit))
            atomicOr(seen + x / 32, bit);
    }

    DEVICE void tile(const vector16<uint16_t> *v, const uint16_t *, size_t, int)
    {
        uint32_t found[UNROLL];
#pragma unroll
        for (int i = 0; i < 4 * UNROLL; i++) {
            const uint32_t w = v[i / 4].word[i % 4];
            const uint32_t low = seen[(uint16_t)w / 32], high = seen[w >> 21];
            found[i / 4] =
                and3(i % 4 ? found[i / 4] : ~0u, __funnelshift_r(low, low, w),
                     __funnelshift_r(high, high, w >> 16));
        }
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
            if (found[u] & 1)
                continue;
#pragma unroll
            for (int j = 0; j < 8; j++)
                one(v[u].at[j], 0);
        }
    }
};

// Merges the block's bitmap with the global one. True if all bits are set.
static DEVICE bool meet(uint32_t *seen, uint32_t *bits)
{
    uint32_t word[WORDS / THREADS];
    bool all = true;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < WORDS / THREADS; i++)
        word[i] = __ldcg(bits + i * THREADS + threadIdx.x);
#pragma unroll
    for (int i = 0; i < WORDS / THREADS; i++) {
        const uint32_t at = i * THREADS + threadIdx.x, mine = seen[at];
        if (mine & ~word[i])
            atomicOr(bits + at, mine);
        seen[at] = mine | word[i];
        all = all && (mine | word[i]) == ~0u;
    }
    return __syncthreads_and(all);
}

static __global__
__launch_bounds__(THREADS) void add_bits16(const uint16_t *data, size_t bytes,
                                           uint32_t *bits)
{
    __shared__ uint32_t seen[WORDS];
    const size_t n = bytes / 2, rest = n % 8;
    const size_t tiles = tiles_of<uint16_t, UNROLL>(n);
    bits16 acc{seen};
    for (int i = threadIdx.x; i < WORDS; i += THREADS)
        seen[i] = 0;
    if (meet(seen, bits))
        return;
    uint32_t done = 0;
    for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        one_tile<UNROLL>(data, n, t, acc);
        if (meets_after(++done) && meet(seen, bits))
            return;
    }
    if (blockIdx.x == 0 && threadIdx.x < rest)
        acc.one(data[n - rest + threadIdx.x], 0);
    if (blockIdx.x == 0 && threadIdx.x == 0 && bytes % 2)
        acc.one((uint16_t)(((const uint8_t *)data)[bytes - 1] * 0x101), 0);
    meet(seen, bits);
}

cudaError_t gpu_bits16_add(const void *data, size_t bytes, uint32_t *bits,
                           cudaStream_t stream)
{
    const int blocks = resident_blocks(
        add_bits16, THREADS, 0, bytes / 2 / tile_size<uint16_t, UNROLL> + 1, 2);
    add_bits16<<<blocks, THREADS, 0, stream>>>((const uint16_t *)data, bytes,
                                               bits);
    return cudaGetLastError();
}
