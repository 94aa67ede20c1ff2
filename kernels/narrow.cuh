// SPDX-License-Identifier: MIT
//
// Exact sums of f16 and bf16 by two windows of 22 bits in f32 arithmetic, which
// has twice the rate of f64 and needs no conversion to it. For f16 the two are
// fixed and hold all of its 40 bits; for bf16 they are set over the block's
// tile, as in sum_float.cu. What misses them is swept.
#pragma once

#include <cuda_fp16.h>

#include "sweep.cuh"

constexpr int NARROW_BITS = 22;

// The two elements of a word.
template <enum dtype D>
__device__ __forceinline__ float2 two_of(uint32_t word)
{
    if (D == DTYPE_bf16)
        return make_float2(__uint_as_float(word << 16),
                           __uint_as_float(word & 0xffff0000));
    __half2 h;
    memcpy(&h, &word, sizeof h);
    return __half22float2(h);
}

template <enum dtype D, int MAP> struct narrow_sum {
    typedef uint16_t S;
    typedef warp_limbs<limbs_of<D, MAP>> limbs_type;
    static constexpr int unroll = 4;
    static constexpr int elements = unroll * 8;
    static constexpr int lsb = EXACT_LSB(D, MAP);
    static constexpr int tiles_max = 128;

    struct gpu_sum *out;
    int64_t *shared;
    limbs_type *limbs;
    int low[2];
    float magic[2];
    int64_t sum[2];
    int tiles;
    bool not_negative_zero;

    __device__ __forceinline__ narrow_sum(struct gpu_sum *out_,
                                          int64_t *shared_,
                                          limbs_type *limbs_)
        : out(out_), shared(shared_), limbs(limbs_), tiles(0),
          not_negative_zero(MAP != EXACT_VALUE)
    {
        limbs->clear();
    }

    struct check {
        uint32_t outside, rest;
    };

    __device__ __forceinline__ void step(float x, uint32_t (&s)[2],
                                         struct check *c)
    {
        if (MAP == EXACT_MAGNITUDE)
            x = fabsf(x);
        const float t = x + magic[0];
        s[0] += __float_as_uint(t);
        c->outside |= __float_as_uint(t) ^ __float_as_uint(magic[0]);
        x = (magic[0] - t) + x;
        const float u = x + magic[1];
        s[1] += __float_as_uint(u);
        if (D == DTYPE_bf16)
            c->rest |= __float_as_uint((magic[1] - u) + x);
    }

    __device__ __forceinline__ void tile(const vector16<S> *v, const S *data,
                                         size_t first)
    {
        if (tiles == 0)
            anchor(v);
        if (!not_negative_zero)
            look_for_other(v);
        // A tile's sums fit 32 bits: 32 addends of 2^22.
        uint32_t s[2] = {0, 0};
        struct check c = {0, 0};
#pragma unroll
        for (int u = 0; u < unroll; u++) {
            const uint32_t word[4] = {v[u].words.x, v[u].words.y,
                                      v[u].words.z, v[u].words.w};
#pragma unroll
            for (int j = 0; j < 4; j++) {
                const float2 two = two_of<D>(word[j]);
                step(two.x, s, &c);
                step(two.y, s, &c);
            }
        }
        if (__any_sync(~0u, c.outside >> 23 || c.rest)) {
            sweep_tile<D, MAP, unroll>(data + first, out, limbs->mine(), lsb);
        } else {
            for (int i = 0; i < 2; i++)
                sum[i] += (int32_t)(s[i] - elements * __float_as_uint(magic[i]));
        }
        if (++tiles == tiles_max)
            flush();
    }

    __device__ __forceinline__ void flush()
    {
        if (tiles == 0)
            return;
        for (int i = 0; i < 2; i++)
            block_deposit(out->limb, sum[i], (unsigned)(low[i] - lsb), shared);
        tiles = 0;
    }

    __device__ __forceinline__ void finish(size_t n)
    {
        flush();
        limbs->flush(out->limb);
        if (__syncthreads_or(not_negative_zero && n > 0) && threadIdx.x == 0)
            atomicOr((unsigned long long *)&out->not_negative_zero, 1ull);
    }

    __device__ __forceinline__ void look_for_other(const vector16<S> *v)
    {
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < 8; j++)
                not_negative_zero |= is_other<D>(v[u].at[j]);
        }
    }

    __device__ __forceinline__ void one(S bits, size_t)
    {
        not_negative_zero |= is_other<D>(bits);
        to_limbs<D, MAP>(bits, out, lsb);
    }

    // |x| < 2^16 for f16, and 2^-24 its least bit.
    __device__ __forceinline__ void anchor(const vector16<S> *v)
    {
        int top = 16;
        if (D == DTYPE_bf16) {
            top = -126;
#pragma unroll
            for (int u = 0; u < unroll; u++) {
#pragma unroll
                for (int j = 0; j < 8; j++) {
                    const int e = (v[u].at[j] >> 7 & 0xff) - 126;
                    top = e < 129 ? max(top, e) : top;
                }
            }
            top = min(block_max(top, shared) + 2, 125);
            top = max(top, -133 + 2 * NARROW_BITS);
        }
        for (int i = 0; i < 2; i++) {
            low[i] = top - (i + 1) * NARROW_BITS;
            // 1.5 * 2^(23 + low)
            magic[i] = __uint_as_float((uint32_t)(23 + low[i] + 127) << 23 |
                                       1u << 22);
            sum[i] = 0;
        }
    }
};
