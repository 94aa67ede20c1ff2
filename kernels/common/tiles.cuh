// SPDX-License-Identifier: MIT
//
// How every streaming kernel reads: in coarsened tiles. In a tile, each thread
// of a block has UNROLL vectors of 16 bytes. It loads all of them before it
// uses the first, so that enough bytes are in flight to hide the memory's
// latency. The grid strides over the tiles. The last tile may lack some
// vectors; the elements after the last whole vector are read one by one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/family.h"
#include "kernels/common/tuning.h"
#include "reduce/float_format.h"

// The storage type of each dtype.
template <enum dtype D> struct element;

#define ELEMENT(name, long_name, class, S)     \
    template <> struct element<DTYPE_##name> { \
        typedef S storage;                     \
    };
DTYPES(ELEMENT)
#undef ELEMENT
template <enum dtype D> using storage_of = typename element<D>::storage;

// The float formats of float_format.h; is_float is false for other types.
template <enum dtype D> struct float_layout {
    static constexpr bool is_float = false;
    static constexpr int fraction = 0, bias = 0, exponent_bits = 0, least = 0;
    static constexpr uint64_t inf = 0;
};
#define LAYOUT(name, FRACTION, EXPONENT, has_inf)                           \
    template <> struct float_layout<DTYPE_##name> {                         \
        static constexpr bool is_float = true;                              \
        static constexpr int fraction = FRACTION, exponent_bits = EXPONENT, \
                             bias = BIAS_##name, least = LSB_##name;        \
        static constexpr uint64_t inf = INF_BITS(name);                     \
    };
FLOATS(LAYOUT)
#undef LAYOUT

template <enum dtype D> DEVICE double to_double(uint64_t b)
{
    if (D == DTYPE_f64)
        return __longlong_as_double((long long)b);
    if (D == DTYPE_f32)
        return (double)__uint_as_float((unsigned)b);
    if (D == DTYPE_bf16)
        return (double)bf16_to_float((uint16_t)b);
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((unsigned short)b));
    return (double)x;
}

// 16 bytes, as words or as elements of type S.
template <class S> union vector16 {
    uint4 words;
    uint32_t word[4];
    S at[16 / sizeof(S)];
};

// Elements from one vector of a thread to its next, and elements of a tile.
template <class S> constexpr size_t tile_stride = THREADS *(16 / sizeof(S));
template <class S, int UNROLL>
constexpr size_t tile_size = UNROLL *tile_stride<S>;

// Tiles of n elements that have at least one whole vector.
template <class S, int UNROLL> DEVICE size_t tiles_of(size_t n)
{
    constexpr size_t lanes = 16 / sizeof(S);
    return (n / lanes + THREADS * UNROLL - 1) / (THREADS * UNROLL);
}

// Loads the thread's vectors of tile t into v[0 .. UNROLL) and returns how many
// exist, which is less than UNROLL only in the last tile. These come first. A
// missing vector is replaced by acc.missing(last vector of the data), so that
// loops over v have constant bounds: v indexed by a variable would have to live
// in memory.
template <int UNROLL, class S, class Acc>
DEVICE int load_tile(const S *data, size_t n, size_t t, const Acc &acc,
                     vector16<S> *v)
{
    const uint4 *vectors = reinterpret_cast<const uint4 *>(data);
    const size_t at = t * (THREADS * UNROLL) + threadIdx.x;
    if (t < n / tile_size<S, UNROLL>) {
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            v[u].words = u < UNROLL * STREAMED / 4
                             ? __ldcs(vectors + at + u * THREADS)
                             : __ldg(vectors + at + u * THREADS);
        return UNROLL;
    }
    const size_t end = n / (16 / sizeof(S));
    int present = 0;
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
        const size_t i = at + u * THREADS;
        v[u].words = __ldg(vectors + (i < end ? i : end - 1));
        present += i < end;
        if (i >= end)
            v[u].words = acc.missing(v[u].words);
    }
    return present;
}

// Loads tile t and calls acc.tile(v, data, first, present), where v[u] begins
// at data[first + u * tile_stride<S>]. Every thread of the block calls it. An
// accumulator that looks at elements a second time should read data again
// rather than keep v.
template <int UNROLL, class S, class Acc>
DEVICE void one_tile(const S *data, size_t n, size_t t, Acc &acc)
{
    vector16<S> v[UNROLL];
    const int present = load_tile<UNROLL>(data, n, t, acc, v);
    const size_t at = t * (THREADS * UNROLL) + threadIdx.x;
    acc.tile(v, data, at * (16 / sizeof(S)), present);
}

// Calls acc.one(x, index) for the elements of tile t after the last whole
// vector.
template <int UNROLL, class S, class Acc>
DEVICE void rest_of_tile(const S *data, size_t n, size_t t, Acc &acc)
{
    constexpr size_t lanes = 16 / sizeof(S);
    const size_t i = n / lanes * lanes + threadIdx.x;
    if (i < n && i / tile_size<S, UNROLL> == t)
        acc.one(data[i], i);
}

// Gives acc all of the block's tiles, in order.
template <int UNROLL, class S, class Acc>
DEVICE void each_tile(const S *data, size_t n, Acc &acc)
{
    const size_t tiles = tiles_of<S, UNROLL>(n);
    size_t t = blockIdx.x;
    for (; t < tiles; t += gridDim.x)
        one_tile<UNROLL>(data, n, t, acc);
    // The remaining elements are in the tile that the block did last or, if
    // theirs has no whole vector, in tile t.
    if (n % (16 / sizeof(S)) == 0)
        return;
    const size_t last = n / tile_size<S, UNROLL>;
    if (t == last || t == last + gridDim.x)
        rest_of_tile<UNROLL>(data, n, last, acc);
}

DEVICE uint64_t shuffle_down(uint64_t x, int lanes)
{
    return __shfl_down_sync(~0u, (unsigned long long)x, lanes);
}

// The sum over the warp, in lane 0.
DEVICE uint64_t warp_sum(uint64_t x)
{
    for (int s = 16; s > 0; s /= 2)
        x += shuffle_down(x, s);
    return x;
}

// The sum over the block, in thread 0. `shared` is [THREADS / 32]; several
// calls may use the same.
template <class T> __device__ T block_sum(T x, T *shared)
{
    x = warp_sum(x);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            x += shared[w];
    }
    return x;
}

// The greatest over the warp, in every lane.
DEVICE int warp_max(int x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, x);
#else
    for (int s = 16; s > 0; s /= 2)
        x = max(x, __shfl_xor_sync(~0u, x, s));
    return x;
#endif
}

// The least over the warp, in every lane.
DEVICE uint32_t warp_min(uint32_t x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(~0u, x);
#else
    for (int s = 16; s > 0; s /= 2)
        x = min(x, __shfl_xor_sync(~0u, x, s));
    return x;
#endif
}

// A word of each warp of a block, aligned so that few vectors read them all.
struct words_of_warps {
    alignas(16) int32_t of[THREADS / 32];
};

// The greatest over the block, in every thread. The caller puts a barrier
// between two uses of `shared`.
DEVICE int block_max(int x, struct words_of_warps *shared)
{
    x = warp_max(x);
    if (threadIdx.x % 32 == 0)
        shared->of[threadIdx.x / 32] = x;
    __syncthreads();
#pragma unroll
    for (int w = 0; w < THREADS / 32; w++)
        x = max(x, shared->of[w]);
    return x;
}

// Adds x to *to atomically. `to` is in global memory, though the compiler may
// not know that.
DEVICE void add_global(uint64_t *to, uint64_t x)
{
    if (x)
        asm volatile(
            "red.global.add.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(to)),
            "l"(x)
            : "memory");
}

// Byte i of the result is all ones if byte b of w is negative, else 0; nibble i
// of `which` is 8 + b. (__byte_perm cannot do this: it ignores the 8.)
DEVICE uint32_t signs_of(uint32_t w, uint32_t which)
{
    uint32_t signs;
    asm("prmt.b32 %0, %1, 0, %2;" : "=r"(signs) : "r"(w), "r"(which));
    return signs;
}

// True in every thread of the last of the gridDim.x blocks that call it with
// this ticket. That block sees what the others wrote to global memory before.
// The ticket is then 0 again.
DEVICE bool last_block(unsigned *ticket)
{
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        // Acquires and releases for the whole block, since barriers surround
        // it.
        unsigned before;
        asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(__cvta_generic_to_global(ticket)), "r"(gridDim.x - 1)
                     : "memory");
        last = before == gridDim.x - 1;
    }
    __syncthreads();
    return last;
}
