// SPDX-License-Identifier: MIT
//
// Exact sums of f16 and bf16 by two windows of 22 bits in f32 arithmetic, which
// has twice the rate of f64 and needs no conversion to it. The windows of f16
// are fixed and hold all of its 40 bits; those of bf16 are set over the block's
// tile, as in float_sum.cuh. Tiles that miss them take the slow path.
//
// The windows cut x into a * 2^low + b * 2^(low - 22), where a and b are
// integers of 22 bits. The square of x is a sum of products of integers, which
// cannot over- or underflow as floats would. There are two ways:
//
//   one     |x| < 2^(low + 7): a * 2^22 + b is a number of 29 bits and a
//           sign, and its square one IMAD.WIDE
//   three   a*a, 2*a*b and b*b, each at its weight, for numbers that are
//           spread over more binades. The products are of bits(t) = m + a,
//           not of a. Modulo 2^64,
//               sum (m + a)^2 = sum a^2 + 2 m sum a + n m^2,
//           so each flush subtracts the last two terms.
//
// A block chooses the way when it sets its windows. IMAD.WIDE has half the rate
// of other instructions and only one of the two FMA pipes. An H200, with 132
// multiprocessors of 128 lanes at 1.75 GHz, has time for 13 instructions while
// it reads 2 bytes at 4547 GB/s. An element takes 8 instructions with one
// product and 10 to 10.6 with three.
#pragma once

#include <cuda_fp16.h>

#include "kernels/reduce/exact_kernels.cuh"

constexpr int NARROW_BITS = 22;
constexpr int SINGLE_BITS = 29; // of a number squared by one product

// The two elements of a word.
template <enum dtype D> DEVICE float2 two_of(uint32_t word)
{
    if (D == DTYPE_bf16)
        return make_float2(__uint_as_float(word << 16),
                           __uint_as_float(word & 0xffff0000));
    __half2 h;
    memcpy(&h, &word, sizeof h);
    return __half22float2(h);
}

template <enum dtype D, int MAP, bool BOTH, int UNROLL>
struct narrow_sum
    : exact_base<D, narrow_sum<D, MAP, BOTH, UNROLL>, MAP, BOTH, UNROLL> {
    typedef exact_base<D, narrow_sum, MAP, BOTH, UNROLL> base;
    typedef typename base::S S;
    using base::elements;
    using base::unroll;
    static constexpr bool values = MAP != EXACT_SQUARE;
    using base::squares;
    // As |a| <= 2^22 and |b| <= 2^21, the 2^12 elements that a thread adds
    // between flushes make sums of at most 2^34, and sums of squares of 2^56.
    static constexpr int tiles_max = 128;

    int low;     // the unit of the first window is 2^low
    float magic; // of the first window; see step for the other
    float both;
    bool single; // one product an element, not three
    // Bits of the greatest magnitude that fits and of the least nonzero one,
    // less 1, each twice in a word. Used for bf16; f16 uses only `greatest`,
    // and only if `single`.
    uint32_t greatest, least;
    int64_t sum[2]; // sums of a, and of b
    // Sums of products of bits(t) and bits(u): t*t, t*u, u*u, modulo 2^64; if
    // `single`, one sum of 128 bits.
    uint64_t product[3];
    int kept; // tiles that fitted

    DEVICE narrow_sum(struct gpu_result *result,
                      typename base::shared_type *shared)
        : base(result, shared), single(false)
    {
        if (D == DTYPE_f16)
            set_windows(F16_TOP);
    }

    // f16: |x| < 2^16, and the least bit is 2^-24. SINGLE_BITS from there on
    // hold |x| < 2^5.
    static constexpr int F16_TOP = 16, F16_SINGLE_TOP = -24 + SINGLE_BITS;
    // With M = 1.5 * 2^(top + 16), so that M + x cannot overflow.
    static constexpr int BF16_SINGLE_TOP = 110;

    // A tile's sums of bits, and the checks whether it fits. The sums of a and
    // b fit 32 bits: 32 addends of 2^22.
    struct tally {
        uint32_t sum[2], outside, greatest, least;
        uint64_t product[3];
    };

    // u is M1 + (x - (t - M0)), rounded once, by one addition less: M1 is three
    // times 2^low, so that `both`, M0 + M1, is exact, and so is both - t.
    template <bool SINGLE> DEVICE void step(float x, tally *tally)
    {
        if (MAP == EXACT_MAGNITUDE)
            x = fabsf(x);
        const float t = x + magic;
        const float u = (both - t) + x;
        const uint32_t p = __float_as_uint(t), q = __float_as_uint(u);
        if (values || !SINGLE) {
            tally->sum[0] += p;
            tally->sum[1] += q;
        }
        if (D == DTYPE_f16 && !SINGLE)
            tally->outside |= p;
        if (SINGLE) {
            const int64_t number = (int32_t)((p << NARROW_BITS) + q);
            tally->product[0] += (uint64_t)(number * number);
        } else if (squares) {
            tally->product[0] += (uint64_t)p * p;
            tally->product[1] += (uint64_t)p * q;
            tally->product[2] += (uint64_t)q * q;
        }
    }

    template <bool SINGLE>
    DEVICE void step4(uint32_t w0, uint32_t w1, tally *tally)
    {
        const float2 x = two_of<D>(w0), y = two_of<D>(w1);
        step<SINGLE>(x.x, tally);
        step<SINGLE>(x.y, tally);
        step<SINGLE>(y.x, tally);
        step<SINGLE>(y.y, tally);
        w0 &= 0x7fff7fff;
        w1 &= 0x7fff7fff;
        if (D == DTYPE_bf16 || SINGLE)
            tally->greatest = __vimax3_u16x2(tally->greatest, w0, w1);
        if (D == DTYPE_bf16) {
            // Less 1, so that 0 becomes the greatest of all.
            tally->least = __viaddmin_u16x2(w0, ~0u, tally->least);
            tally->least = __viaddmin_u16x2(w1, ~0u, tally->least);
        }
    }

    DEVICE bool add(const vector16<S> *v)
    {
        return squares && single ? add_as<squares>(v) : add_as<false>(v);
    }

    template <bool SINGLE> DEVICE bool add_as(const vector16<S> *v)
    {
        tally t = {};
        t.least = ~0u;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
            step4<SINGLE>(v[u].words.x, v[u].words.y, &t);
            step4<SINGLE>(v[u].words.z, v[u].words.w, &t);
        }
        if (__any_sync(~0u, outside<SINGLE>(t)))
            return false;
        keep<SINGLE>(t);
        return true;
    }

    // Whether an element does not fit. f16 with three products: a finite x
    // leaves t the sign and exponent of the magic number; Inf and NaN set all
    // bits of the exponent.
    template <bool SINGLE> DEVICE bool outside(const tally &t) const
    {
        if (D == DTYPE_f16 && !SINGLE)
            return (t.outside ^ __float_as_uint(magic)) >> 23;
        return __vmaxu2(t.greatest, greatest) != greatest ||
               (D == DTYPE_bf16 && __vminu2(t.least, least) != least);
    }

    template <bool SINGLE> DEVICE void keep(const tally &t)
    {
        for (int i = 0; i < 2 && (values || !SINGLE); i++)
            sum[i] += (int32_t)(t.sum[i] - elements * magic_bits(i));
        product[0] += t.product[0];
        if (SINGLE) {
            product[1] += product[0] < t.product[0]; // the carry
        } else {
            product[1] += t.product[1];
            product[2] += t.product[2];
        }
        kept++;
    }

    DEVICE void give()
    {
        if (values)
            this->first.deposit(
                portions<2>{{sum[0], sum[1]}, {low, low - NARROW_BITS}});
        if constexpr (BOTH)
            give_squares(this->second);
        else if constexpr (squares)
            give_squares(this->first);
    }

    template <class TO> DEVICE void give_squares(TO &to)
    {
        const int last = 2 * (low - NARROW_BITS);
        struct portions<3> p = {
            {},
            {
                last + 2 * NARROW_BITS, last + NARROW_BITS + 1, last
            }
        };
        if (single) {
            p.value[0] = (int64_t)product[1];
            p.value[1] = (int64_t)(product[0] >> 32);
            p.value[2] = (int64_t)(uint32_t)product[0];
            p.position[0] = last + 64;
            p.position[1] = last + 32;
        } else {
            const uint64_t m0 = magic_bits(0), m1 = magic_bits(1);
            const uint64_t n = (uint64_t)kept * elements;
            const uint64_t a = (uint64_t)sum[0], b = (uint64_t)sum[1];
            p.value[0] = (int64_t)(product[0] - m0 * (2 * a + n * m0));
            p.value[1] = (int64_t)(product[1] - m0 * b - m1 * (a + n * m0));
            p.value[2] = (int64_t)(product[2] - m1 * (2 * b + n * m1));
        }
        to.deposit(p);
    }

    DEVICE void anchor(const vector16<S> *v)
    {
        if constexpr (D == DTYPE_bf16) {
            // Two binades of room for later tiles.
            const int top = this->top_of_tile(v) + 2;
            single = squares && top <= BF16_SINGLE_TOP &&
                     !this->any_below(v, top - SINGLE_BITS);
            set_windows(top);
        } else if constexpr (squares) {
            single = this->top_of_tile(v) < F16_SINGLE_TOP;
            set_windows(single ? F16_SINGLE_TOP : F16_TOP);
        }
        for (int i = 0; i < 2; i++)
            sum[i] = 0;
        for (int i = 0; i < 3; i++)
            product[i] = 0;
        kept = 0;
    }

    // Sets the windows for |x| < 2^top; for bf16, top is kept where M + x
    // cannot overflow and the windows do not go below 2^-133.
    DEVICE void set_windows(int top)
    {
        const int bits = single ? SINGLE_BITS : 2 * NARROW_BITS;
        if (D == DTYPE_bf16)
            top = max(min(top, 125), least_bit<D, EXACT_VALUE> + bits);
        low = top - bits + NARROW_BITS;
        magic = __uint_as_float(magic_bits(0));
        both = magic + __uint_as_float(magic_bits(1));
        set_limits(top);
    }

    // The bits of window i's magic number: 1.5 * 2^(23 + low) for the first. If
    // `single`, p * 2^22 + q must be the number itself modulo 2^32, so the low
    // 10 bits of the first magic number cancel the bits of the second.
    DEVICE uint32_t magic_bits(int i) const
    {
        const uint32_t first = (uint32_t)(23 + low + 127) << 23 | 1u << 22;
        const uint32_t second = first - ((uint32_t)NARROW_BITS << 23);
        if (i > 0)
            return second;
        return single ? first + (0u - (second >> 22)) % 1024 : first;
    }

    // A bf16 fits if its last bit, 7 below its first, weighs at least a unit of
    // the second window; the last bit of a subnormal weighs 2^-133.
    DEVICE void set_limits(int top)
    {
        const uint32_t twice = 0x10001;
        if (D == DTYPE_f16) {
            greatest = twice * ((uint32_t)(top + 14) << 10 | 0x3ff);
            return;
        }
        const int last = low - NARROW_BITS;
        greatest = twice * ((uint32_t)(top + 126) << 7 | 0x7f);
        least = 0;
        if (last > least_bit<D, EXACT_VALUE>)
            least = twice * (((uint32_t)(last + 7 + 127) << 7) - 1);
    }
};

template <enum dtype D, int MAP, bool BOTH>
static cudaError_t launch_narrow(const struct gpu_chunk *c, cudaStream_t stream)
{
    return launch_exact<narrow_sum<D, MAP, BOTH, SUM_FLOAT.unroll>,
                        narrow_sum<D, MAP, BOTH, 1>>(c, stream);
}
