// SPDX-License-Identifier: MIT
//
// The order of elements, by keys: integers that order as the values do. The
// keys of NaN are beyond those of the infinities; the key of -0 is -1, that of
// +0 is 0. A thread finds the extremes of its tile among words of several
// elements, by the hardware's minima of such words, and makes keys only of the
// results.
#pragma once

#include <type_traits>

#include "kernels/common/tiles.cuh"

template <enum dtype D, bool MAGNITUDE> struct order {
    typedef storage_of<D> S;
    typedef std::make_signed_t<S> signed_type;
    typedef std::make_unsigned_t<S> unsigned_type;
    static constexpr int size = sizeof(S);
    static constexpr bool has_nan = float_layout<D>::is_float;
    static constexpr bool has_sign = has_nan || std::is_signed<S>::value;
    static constexpr bool magnitude = MAGNITUDE && has_sign;
    static constexpr bool signed_keys =
        has_nan || (std::is_signed<S>::value && !MAGNITUDE);
    typedef std::conditional_t<size == 8, int64_t, int32_t> signed_key;
    typedef std::conditional_t<size == 8, uint64_t, uint32_t> unsigned_key;
    typedef std::conditional_t<signed_keys, signed_key, unsigned_key> K;

    static constexpr K greatest =
        signed_keys ? (K)((unsigned_key) ~(unsigned_key)0 >> 1) : (K) ~(K)0;
    static constexpr K least = signed_keys ? (K)(-greatest - 1) : (K)0;
    // All bits but the sign.
    static constexpr unsigned_type below =
        (unsigned_type) ~(unsigned_type)0 >> 1;
    // The key of +Inf; unused for integers.
    static constexpr K inf = (K)float_layout<D>::inf;

    static DEVICE K key(S bits)
    {
        const signed_type v = (signed_type)bits;
        const signed_type sign = (signed_type)(v >> (8 * size - 1));
        if (has_nan)
            return (K)(signed_type)(MAGNITUDE ? v & below : v ^ (sign & below));
        if (magnitude)
            return (K)(unsigned_type)((unsigned_type)(v ^ sign) -
                                      (unsigned_type)sign);
        return (K)bits;
    }

    static DEVICE bool is_number(K k)
    {
        return !has_nan || (k <= inf && k >= -inf - 1);
    }

    // The key of +0 for -0.
    static DEVICE K equal(K k)
    {
        return has_nan && k == (K)-1 ? (K)0 : k;
    }

    // The key of a number in struct extremum.
    static DEVICE uint64_t wide(K k)
    {
        return signed_keys ? key_of_signed((int64_t)equal(k)) : (uint64_t)k;
    }

    static DEVICE K from_wide(uint64_t wide)
    {
        return (K)(signed_keys ? wide ^ 1ull << 63 : wide);
    }

    // The bits of the number, or of the magnitude, with this key; both zeros
    // give +0.
    static DEVICE unsigned_type bits(K k)
    {
        const unsigned_type v = (unsigned_type)k;
        return has_nan && (signed_type)v < 0 ? (unsigned_type)(v ^ below) : v;
    }

    // Whether an element has this key or, with OF_NAN, is NaN.
    template <bool OF_NAN> static DEVICE bool is(S element, K k)
    {
        const unsigned_type v = (unsigned_type)element;
        if (!has_nan)
            return key(element) == k;
        if (OF_NAN)
            return (unsigned_type)(v & below) > (unsigned_type)inf;
        // Zeros are equal whatever their sign; magnitudes have no sign.
        const unsigned_type mask =
            MAGNITUDE || k == 0 ? below : (unsigned_type) ~(unsigned_type)0;
        return (unsigned_type)(v & mask) == bits(k);
    }
};

// Traits for the extremes of words of several elements. part(w, i) is a word
// that `min` and `max` accept and return; `keys` makes keys of the least and
// the greatest such word. If an element is NaN, at least one of the two keys is
// not a number's.

// Words of two halves. An element is in the upper bits of its half, above DROP
// bits that are ignored.
template <class O, int DROP, class HALF> struct keys_of_halves {
    typedef typename O::K K;
    static DEVICE K key(uint32_t half)
    {
        if (O::has_nan)
            return O::key((typename O::S)half);
        return (K)(HALF)((HALF)half >> DROP);
    }
    static DEVICE void keys(uint32_t least, uint32_t most, K *low, K *high)
    {
        *low = min(key(least), key(least >> 16));
        *high = max(key(most), key(most >> 16));
    }
};

template <class O>
using half_type = std::conditional_t<O::signed_keys, int16_t, uint16_t>;

// For an integer, |x| is (x ^ s) - s, where s is all ones if x < 0.
template <class O> struct words_of_16 : keys_of_halves<O, 0, half_type<O>> {
    static constexpr int parts = 1;
    static DEVICE uint32_t part(uint32_t w, int)
    {
        const uint32_t sign = signs_of(w, 0xbb99);
        return O::magnitude ? (w ^ sign) + (sign & 0x00010001) : w;
    }
    static DEVICE uint32_t min(uint32_t a, uint32_t b)
    {
        return O::signed_keys ? __vmins2(a, b) : __vminu2(a, b);
    }
    static DEVICE uint32_t max(uint32_t a, uint32_t b)
    {
        return O::signed_keys ? __vmaxs2(a, b) : __vmaxu2(a, b);
    }
};

// Each byte is the upper part of 16 bits; the lower part decides only among
// equal bytes.
template <class O> struct words_of_8 : words_of_16<O> {
    static constexpr int parts = 2;
    static DEVICE uint32_t part(uint32_t w, int i)
    {
        const uint32_t sign = signs_of(w, 0xba98);
        if (O::magnitude)
            w = (w ^ sign) + (sign & 0x01010101);
        return i ? w << 8 : w;
    }
    static DEVICE void keys(uint32_t least, uint32_t most, typename O::K *low,
                            typename O::K *high)
    {
        keys_of_halves<O, 8, half_type<O>>::keys(least, most, low, high);
    }
};

#if __CUDA_ARCH__ >= 800
// The result is NaN if either operand is.
#define MINIMA_OF(type)                                         \
    static DEVICE uint32_t min(uint32_t a, uint32_t b)          \
    {                                                           \
        asm("min.NaN." type " %0, %0, %1;" : "+r"(a) : "r"(b)); \
        return a;                                               \
    }                                                           \
    static DEVICE uint32_t max(uint32_t a, uint32_t b)          \
    {                                                           \
        asm("max.NaN." type " %0, %0, %1;" : "+r"(a) : "r"(b)); \
        return a;                                               \
    }

template <class O> struct words_of_half : keys_of_halves<O, 0, int16_t> {
    static constexpr int parts = 1;
    static DEVICE uint32_t part(uint32_t w, int)
    {
        return O::magnitude ? w & 0x7fff7fff : w;
    }
};
template <class O> struct words_of_f16 : words_of_half<O> {
    MINIMA_OF("f16x2")
};
template <class O> struct words_of_bf16 : words_of_half<O> {
    MINIMA_OF("bf16x2")
};
template <class O> struct words_of_f32 {
    static constexpr int parts = 1;
    static DEVICE uint32_t part(uint32_t w, int)
    {
        return O::magnitude ? w & 0x7fffffff : w;
    }
    static DEVICE void keys(uint32_t least, uint32_t most, int32_t *low,
                            int32_t *high)
    {
        *low = O::key(least);
        *high = O::key(most);
    }
    MINIMA_OF("f32")
};
#undef MINIMA_OF
#endif

template <class W, int N, class V, class K>
DEVICE void extremes_of_words(const V *v, K *low, K *high)
{
    uint32_t least[W::parts], most[W::parts];
#pragma unroll
    for (int i = 0; i < 4 * N; i++) {
#pragma unroll
        for (int p = 0; p < W::parts; p++) {
            const uint32_t w = W::part(v[i / 4].word[i % 4], p);
            least[p] = i ? W::min(least[p], w) : w;
            most[p] = i ? W::max(most[p], w) : w;
        }
    }
#pragma unroll
    for (int p = 1; p < W::parts; p++) {
        least[0] = W::min(least[0], least[p]);
        most[0] = W::max(most[0], most[p]);
    }
    W::keys(least[0], most[0], low, high);
}

template <class O, int N, class V>
DEVICE void extremes_of_elements(const V *v, typename O::K *low,
                                 typename O::K *high)
{
    constexpr int lanes = 16 / O::size;
    *low = *high = O::key(v[0].at[0]);
#pragma unroll
    for (int i = 1; i < N * lanes; i++) {
        const typename O::K k = O::key(v[i / lanes].at[i % lanes]);
        *low = k < *low ? k : *low;
        *high = k > *high ? k : *high;
    }
}

// The least and the greatest key of N vectors. If an element is NaN, at least
// one of them is not a number's.
template <enum dtype D, bool MAGNITUDE, int N, class V, class K>
DEVICE void extremes_of(const V *v, K *low, K *high)
{
    typedef order<D, MAGNITUDE> O;
    if constexpr (!O::has_nan && O::size == 1)
        return extremes_of_words<words_of_8<O>, N>(v, low, high);
    if constexpr (!O::has_nan && O::size == 2)
        return extremes_of_words<words_of_16<O>, N>(v, low, high);
#if __CUDA_ARCH__ >= 800
    if constexpr (D == DTYPE_f16)
        return extremes_of_words<words_of_f16<O>, N>(v, low, high);
    if constexpr (D == DTYPE_bf16)
        return extremes_of_words<words_of_bf16<O>, N>(v, low, high);
    if constexpr (D == DTYPE_f32)
        return extremes_of_words<words_of_f32<O>, N>(v, low, high);
#endif
    extremes_of_elements<O, N>(v, low, high);
}
