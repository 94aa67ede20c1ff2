// SPDX-License-Identifier: MIT
//
// Exact sums of f16 and bf16 by two windows of 22 bits in f32 arithmetic, which
// has twice the rate of f64 and needs no conversion to it. For f16 the two are
// fixed and hold all of its 40 bits; for bf16 they are set over the block's
// tile, as in sum_float.cu. What misses them is swept.
//
// The windows cut x into a * 2^low + b * 2^(low - 22), integers of 22 bits, so
// that its square is the sum of a*a, 2*a*b and b*b, each at its weight: what
// fits as a value fits as a square, and neither over- nor underflows. The
// products are of bits(t) = m + a, not of a: modulo 2^64,
//     sum (m + a)^2 = sum a^2 + 2 m sum a + n m^2,
// which is put right once a flush. An element then takes 1 instruction to
// convert, 3 additions, 3 IMAD.WIDE, 1 to count and 0.5 (f16) or 1.25 (bf16)
// to check: with all else 10.0 to 10.6 on sm_90. An H200, 132 multiprocessors
// of 128 lanes at 1.75 GHz, has 13 in the time of reading 2 bytes at 4547 GB/s.
#pragma once

#include <cuda_fp16.h>

#include "exact.cuh"

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

template <enum dtype D, int MAP, bool BOTH = false>
struct narrow_sum : exact_base<D, MAP, BOTH> {
    typedef exact_base<D, MAP, BOTH> base;
    typedef typename base::S S;
    using base::elements;
    using base::unroll;
    using base::words;
    static constexpr bool values = MAP != EXACT_SQUARE;
    static constexpr bool squares = BOTH || MAP == EXACT_SQUARE;
    // |a| <= 2^22 and |b| <= 2^21: 2^12 addends a thread between flushes make
    // sums of 2^34, and of squares of 2^56.
    static constexpr int tiles_max = 128;

    int low;     // 2^low weighs one in the first window
    float magic; // its number; see step for the other
    float both;
    // bf16: the greatest magnitude that fits, the least but 0 less one, twice.
    uint32_t greatest, least;
    int64_t sum[2];      // of a, of b
    uint64_t product[3]; // of bits: t*t, t*u, u*u; modulo 2^64
    int tiles, kept;     // since the last flush; not swept

    __device__ __forceinline__ narrow_sum(struct gpu_result *result,
                                          typename base::shared_type *shared)
        : base(result, shared), tiles(0)
    {
        // |x| < 2^16, and 2^-24 is the least bit.
        if (D == DTYPE_f16)
            set_windows(16);
    }

    // A tile's sums of bits, and what tells whether they count. The sums of a
    // and b fit 32 bits: 32 addends of 2^22.
    struct tally {
        uint32_t sum[2], outside, greatest, least;
        uint64_t product[3];
    };

    // u is M1 + (x - (t - M0)), rounded once, with an addition less: M1 weighs
    // 3 * 2^low, so that `both`, M0 + M1, is exact, and so is both - t.
    __device__ __forceinline__ void step(float x, tally *tally)
    {
        if (MAP == EXACT_MAGNITUDE)
            x = fabsf(x);
        const float t = x + magic;
        const float u = (both - t) + x;
        const uint32_t p = __float_as_uint(t), q = __float_as_uint(u);
        tally->sum[0] += p;
        tally->sum[1] += q;
        if (D == DTYPE_f16)
            tally->outside |= p;
        if (squares) {
            tally->product[0] += (uint64_t)p * p;
            tally->product[1] += (uint64_t)p * q;
            tally->product[2] += (uint64_t)q * q;
        }
    }

    __device__ __forceinline__ void step4(uint32_t w0, uint32_t w1,
                                          tally *tally)
    {
        const float2 x = two_of<D>(w0), y = two_of<D>(w1);
        step(x.x, tally);
        step(x.y, tally);
        step(y.x, tally);
        step(y.y, tally);
        if (D == DTYPE_bf16) {
            w0 &= 0x7fff7fff;
            w1 &= 0x7fff7fff;
            tally->greatest = __vimax3_u16x2(tally->greatest, w0, w1);
            // Less one, so that 0 is the greatest of all.
            tally->least = __viaddmin_u16x2(w0, ~0u, tally->least);
            tally->least = __viaddmin_u16x2(w1, ~0u, tally->least);
        }
    }

    __device__ __forceinline__ void tile(const vector16<S> *v, const S *data,
                                         size_t at, int present)
    {
        if (tiles == 0)
            anchor(v);
        this->look_for_other(v);
        tally t = {};
        t.least = ~0u;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
            step4(v[u].words.x, v[u].words.y, &t);
            step4(v[u].words.z, v[u].words.w, &t);
        }
        if (__any_sync(~0u, missed(t)))
            this->sweep(data + at, present);
        else
            keep(t);
        if (++tiles == tiles_max)
            flush();
    }

    // f16: finite x leaves t the sign and exponent of the magic number, of Inf
    // and NaN all bits of the exponent are set.
    __device__ __forceinline__ bool missed(const tally &t) const
    {
        if (D == DTYPE_f16)
            return (t.outside ^ __float_as_uint(magic)) >> 23;
        return __vmaxu2(t.greatest, greatest) != greatest ||
               __vminu2(t.least, least) != least;
    }

    __device__ __forceinline__ void keep(const tally &t)
    {
        for (int i = 0; i < 2; i++)
            sum[i] += (int32_t)(t.sum[i] - elements * magic_bits(i));
        for (int i = 0; i < 3; i++)
            product[i] += t.product[i];
        kept++;
    }

    // Gives the windows' sums to the limbs; the whole block calls it.
    __device__ __forceinline__ void flush()
    {
        if (tiles == 0)
            return;
        if (values)
            this->first.deposit({sum[0], sum[1]}, {low, low - NARROW_BITS},
                                words);
        if constexpr (BOTH)
            flush_squares(this->second);
        else if constexpr (squares)
            flush_squares(this->first);
        tiles = 0;
    }

    template <class TO> __device__ __forceinline__ void flush_squares(TO &to)
    {
        const uint64_t m = magic_bits(0), l = magic_bits(1);
        const uint64_t n = (uint64_t)kept * elements;
        const uint64_t a = (uint64_t)sum[0], b = (uint64_t)sum[1];
        const uint64_t aa = product[0] - m * (2 * a + n * m);
        const uint64_t ab = product[1] - m * b - l * (a + n * m);
        const uint64_t bb = product[2] - l * (2 * b + n * l);
        to.deposit({(int64_t)aa, (int64_t)ab, (int64_t)bb},
                   {2 * low, 2 * low - NARROW_BITS + 1,
                    2 * (low - NARROW_BITS)},
                   words);
    }

    __device__ __forceinline__ void anchor(const vector16<S> *v)
    {
        if constexpr (D == DTYPE_bf16) {
            // Two binades of room; M's sum must not overflow, and nothing is
            // below 2^-133.
            const int top = min(this->top_of_tile(v) + 2, 125);
            set_windows(max(top, least_bit<D, EXACT_VALUE> + 2 * NARROW_BITS));
            set_limits();
        }
        for (int i = 0; i < 2; i++)
            sum[i] = 0;
        for (int i = 0; i < 3; i++)
            product[i] = 0;
        kept = 0;
    }

    // For |x| < 2^top.
    __device__ __forceinline__ void set_windows(int top)
    {
        low = top - NARROW_BITS;
        magic = __uint_as_float(magic_bits(0));
        both = magic + __uint_as_float(magic_bits(1));
    }

    // Of 1.5 * 2^(23 + low), for window i.
    __device__ __forceinline__ uint32_t magic_bits(int i) const
    {
        return (uint32_t)(23 + low - i * NARROW_BITS + 127) << 23 | 1u << 22;
    }

    // bf16 fits below the first window's top where its last bit, 7 below the
    // first, weighs at least one of the second; a subnormal's weighs 2^-133.
    __device__ __forceinline__ void set_limits()
    {
        const uint32_t twice = 0x10001;
        const int top = low + NARROW_BITS, last = low - NARROW_BITS;
        greatest = twice * ((uint32_t)(top + 126) << 7 | 0x7f);
        least = 0;
        if (last > least_bit<D, EXACT_VALUE>)
            least = twice * (((uint32_t)(last + 7 + 127) << 7) - 1);
    }
};
