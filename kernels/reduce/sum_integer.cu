// SPDX-License-Identifier: MIT
//
// Exact integer sums. Elements of 8 and 16 bits are summed a word at a time by
// a dot product: with ones, with their signs or with themselves; the sum of a
// thread's tile fits 32 bits. Squares of elements of 32 and 64 bits are
// products of 32-bit words, which are added to numbers of 96 bits: a
// multiply-add and the addition of its carry.
#include <type_traits>

#include "kernels/reduce/limbs.cuh"
#include "kernels/common/source.cuh"

constexpr int UNROLL = SUM_INTEGER.unroll;
constexpr int LIMBS = 2 * exact_layout(DTYPE_i64, EXACT_VALUE).words;

// An unsigned number of 96 bits to which products of 32 bits are added.
struct number96 {
    uint32_t word[3] = {0, 0, 0};

    DEVICE void add_product(uint32_t a, uint32_t b)
    {
        asm("mad.lo.cc.u32 %0, %3, %4, %0;\n\t"
            "madc.hi.cc.u32 %1, %3, %4, %1;\n\t"
            "addc.u32 %2, %2, 0;"
            : "+r"(word[0]), "+r"(word[1]), "+r"(word[2])
            : "r"(a), "r"(b));
    }

    // Adds the square of a signed number, whose magnitude is not needed.
    DEVICE void add_square(int32_t a)
    {
        asm("mad.lo.cc.s32 %0, %3, %3, %0;\n\t"
            "madc.hi.cc.s32 %1, %3, %3, %1;\n\t"
            "addc.u32 %2, %2, 0;"
            : "+r"(word[0]), "+r"(word[1]), "+r"(word[2])
            : "r"(a));
    }
};

// The base of the accumulators. Their sum is that of part(i) * 2^(32 i) for i
// from 0 to parts - 1.
template <class S> struct integer_base {
    static constexpr int size = sizeof(S);
    static constexpr bool is_signed = std::is_signed<S>::value;

    static DEVICE uint4 missing(uint4)
    {
        return make_uint4(0, 0, 0, 0);
    }

    static DEVICE std::make_unsigned_t<S> magnitude(S x)
    {
        typedef std::make_unsigned_t<S> U;
        return is_signed && x < 0 ? (U)(0 - (U)x) : (U)x;
    }
};

// The base of accumulators that add a tile's elements one by one.
template <class ACC, class S> struct one_by_one : integer_base<S> {
    DEVICE void tile(const vector16<S> *v, const S *, size_t, int)
    {
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int j = 0; j < (int)(16 / sizeof(S)); j++)
                static_cast<ACC *>(this)->one(v[u].at[j], 0);
        }
    }
};

// For 8 and 16 bits, except squares of 16 bits.
template <class S, int MAP> struct dot_products : integer_base<S> {
    typedef integer_base<S> base;
    static constexpr int parts = 1;
    using base::is_signed;
    using base::size;
    int64_t sum = 0;

    // Byte i is all ones if element i of the word is negative.
    static DEVICE uint32_t signs(uint32_t w)
    {
        return signs_of(w, size == 1 ? 0xba98 : 0x44b9);
    }

    // The bytes with which dot multiplies the elements of a word.
    static DEVICE uint32_t factors(uint32_t w)
    {
        if (MAP == EXACT_SQUARE)
            return w;
        const uint32_t ones = 0x01010101;
        return MAP == EXACT_MAGNITUDE && is_signed ? signs(w) | ones : ones;
    }

    // Adds the dot product of a word. A tile's sum has at most 64 addends of
    // 2^16.
    static DEVICE uint32_t dot(uint32_t w, uint32_t sum)
    {
        const uint32_t f = factors(w);
        if (size == 2)
            return is_signed ? (uint32_t)__dp2a_lo((int)w, (int)f, (int)sum)
                             : __dp2a_lo(w, f, sum);
        return is_signed ? (uint32_t)__dp4a((int)w, (int)f, (int)sum)
                         : __dp4a(w, f, sum);
    }

    DEVICE void tile(const vector16<S> *v, const S *, size_t, int)
    {
        uint32_t of_tile = 0;
#pragma unroll
        for (int i = 0; i < 4 * UNROLL; i++)
            of_tile = dot(v[i / 4].word[i % 4], of_tile);
        sum += is_signed ? (int64_t)(int32_t)of_tile : (int64_t)of_tile;
    }

    DEVICE void one(S x, size_t)
    {
        const int64_t m = (int64_t)base::magnitude(x);
        sum += MAP == EXACT_SQUARE ? m * m : MAP == EXACT_VALUE ? x : m;
    }

    DEVICE int64_t part(int) const
    {
        return sum;
    }
};

// For values of 32 bits, of which 2^31 fit the sum; values of 64 bits in
// halves, the upper one with the sign; and squares of 16 bits, which the dot
// product instructions do not cover.
template <class S, int MAP>
struct additions : one_by_one<additions<S, MAP>, S> {
    typedef integer_base<S> base;
    static constexpr int parts = sizeof(S) == 8 ? 2 : 1;
    int64_t sum[2] = {0, 0};

    DEVICE void one(S x, size_t)
    {
        const uint64_t m = base::magnitude(x);
        if (MAP == EXACT_SQUARE) {
            sum[0] += (int64_t)x * x;
        } else if (base::size < 8) {
            sum[0] += MAP == EXACT_VALUE ? (int64_t)x : (int64_t)m;
        } else {
            const uint64_t y = MAP == EXACT_VALUE ? (uint64_t)x : m;
            const bool sign = MAP == EXACT_VALUE && base::is_signed;
            sum[0] += (uint32_t)y;
            sum[1] += sign ? (int64_t)y >> 32 : (int64_t)(y >> 32);
        }
    }

    DEVICE int64_t part(int i) const
    {
        return sum[i];
    }
};

// For squares of 32 bits, and of 64 bits as ll + 2^33 lh + 2^64 hh, sums of the
// products of the low and high words.
template <class S> struct wide_squares : one_by_one<wide_squares<S>, S> {
    typedef integer_base<S> base;
    static constexpr int parts = sizeof(S) == 8 ? 5 : 3;
    number96 ll, lh, hh;

    DEVICE void one(S x, size_t)
    {
        if (base::size == 4 && base::is_signed) {
            ll.add_square((int32_t)x);
            return;
        }
        const uint64_t m = base::magnitude(x);
        const uint32_t low = (uint32_t)m, high = (uint32_t)(m >> 32);
        ll.add_product(low, low);
        if (base::size == 4)
            return;
        lh.add_product(low, high);
        hh.add_product(high, high);
    }

    DEVICE int64_t part(int i) const
    {
        int64_t sum = i < 3 ? ll.word[i] : 0;
        if (i >= 1 && i < 4)
            sum += 2 * (int64_t)lh.word[i - 1];
        if (i >= 2)
            sum += hh.word[i - 2];
        return sum;
    }
};

template <class S, int MAP>
using accumulator = std::conditional_t<
    sizeof(S) == 1 || (sizeof(S) == 2 && MAP != EXACT_SQUARE),
    dot_products<S, MAP>,
    std::conditional_t<(sizeof(S) >= 4 && MAP == EXACT_SQUARE), wide_squares<S>,
                       additions<S, MAP>>>;

template <class S, int MAP>
KERNEL(SUM_INTEGER)
void sum_integer_kernel(source<S> from, size_t n, struct gpu_sum *out)
{
    const S *data = take<S>(from, &n, &out);
    if (over_columns && n == 0)
        return;
    accumulator<S, MAP> sum;
    each_tile<UNROLL>(data, n, sum);
    struct portions<sum.parts> p;
#pragma unroll
    for (int i = 0; i < sum.parts; i++) {
        p.value[i] = sum.part(i);
        p.position[i] = 32 * i;
    }
    __shared__ struct block_sums<sum.parts> shared;
    block_deposit(sum_of_block<LIMBS>(out), p, &shared);
}

template <enum dtype D, int MAP>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef storage_of<D> S;
    // The magnitudes of unsigned numbers are the values.
    constexpr bool same = MAP == EXACT_MAGNITUDE && std::is_unsigned<S>::value;
    constexpr int map = same ? (int)EXACT_VALUE : MAP;
    if constexpr (!float_layout<D>::is_float)
        return start<S>(sum_integer_kernel<S, map>, SUM_INTEGER, c, stream,
                        &c->result->sum[MAP]);
    return cudaErrorNotSupported;
}

launch_fn *const OVER(sum_integer)[3][DTYPES_END] = LAUNCH_MAPS;
