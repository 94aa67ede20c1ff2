// SPDX-License-Identifier: MIT
//
// Counts NaN, Inf and nonzero elements, and finds the first NaN. A thread
// counts the nonzero elements of a tile in 32 bits, several elements a word. It
// looks at single elements only in a tile that has Inf or NaN.
#include <type_traits>

#include "kernels/common/source.cuh"

constexpr int UNROLL = COUNT.unroll;

template <enum dtype D> struct counter {
    typedef storage_of<D> S;
    typedef std::make_unsigned_t<S> U;
    static constexpr bool is_float = float_layout<D>::is_float;
    static constexpr int size = sizeof(S);
    static constexpr U inf = (U)float_layout<D>::inf;
    uint64_t nan = 0, infs = 0, nonzero = 0, first_nan = 0;

    static DEVICE uint4 missing(uint4)
    {
        return make_uint4(0, 0, 0, 0);
    }

    static DEVICE U magnitude(S x)
    {
        return is_float ? (U)((U)x & (U) ~(U)0 >> 1) : (U)x;
    }

    // Counts an element that is Inf or NaN.
    DEVICE void special(U magnitude, size_t i)
    {
        infs += magnitude == inf;
        if (magnitude > inf) {
            nan++;
            first_nan = max(first_nan, ~(uint64_t)i);
        }
    }

    DEVICE void one(S x, size_t i)
    {
        nonzero += magnitude(x) != 0;
        if constexpr (is_float) {
            if (magnitude(x) >= inf)
                special(magnitude(x), i);
        }
    }

    // Adds the nonzero elements of word i to sum: each counts 128 if it has 8
    // bits, 1 in its half of the sum if it has 16, and else 1.
    static DEVICE uint32_t count(const vector16<S> &v, int i, uint32_t sum)
    {
        uint32_t w = v.word[i % 4];
        const uint32_t low = 0x7f7f7f7f;
        if (size == 1)
            return __dp4a((((w & low) + low) | w) & ~low, 0x01010101u, sum);
        if (size == 2)
            return sum + __vminu2(is_float ? w & 0x7fff7fff : w, 0x00010001);
        if (size == 4)
            return sum + (magnitude((S)w) != 0);
        return i % 2 ? sum : sum + (magnitude(v.at[i % 4 / 2]) != 0);
    }

    static DEVICE uint32_t total(uint32_t sum)
    {
        return size == 1   ? sum / 128
               : size == 2 ? (sum & 0xffff) + (sum >> 16)
                           : sum;
    }

    // Whether one of the elements is Inf or NaN. For f64 the upper words
    // decide.
    static DEVICE bool any_special(const vector16<S> *v)
    {
        uint32_t most = 0;
#pragma unroll
        for (int i = size == 8; i < 4 * UNROLL; i += size == 8 ? 2 : 1) {
            const uint32_t w = v[i / 4].word[i % 4];
            most = size == 2 ? __vmaxu2(most, w & 0x7fff7fff)
                             : max(most, w & 0x7fffffff);
        }
        if (size == 2)
            return max((U)most, (U)(most >> 16)) >= inf;
        return most >= (uint32_t)(size == 8 ? (uint64_t)inf >> 32 : inf);
    }

    DEVICE void tile(const vector16<S> *v, const S *, size_t first, int)
    {
        uint32_t sum = 0;
#pragma unroll
        for (int i = 0; i < 4 * UNROLL; i++)
            sum = count(v[i / 4], i, sum);
        nonzero += total(sum);
        if constexpr (is_float) {
            if (any_special(v))
                specials(v, first);
        }
    }

    DEVICE void specials(const vector16<S> *v, size_t first)
    {
#pragma unroll
        for (int u = 0; u < UNROLL; u++) {
#pragma unroll
            for (int j = 0; j < 16 / size; j++) {
                const U m = magnitude(v[u].at[j]);
                if (m >= inf)
                    special(m, first + u * tile_stride<S> + j);
            }
        }
    }
};

template <enum dtype D>
KERNEL(COUNT)
void count_kernel(source<storage_of<D>> from, size_t n, gpu_count *out)
{
    const auto *data = take<storage_of<D>>(from, &n, &out);
    if (over_columns && n == 0)
        return;
    __shared__ uint64_t shared[THREADS / 32];
    counter<D> c;
    each_tile<UNROLL>(data, n, c);
    const uint64_t nonzero = block_sum(c.nonzero, shared);
    if (threadIdx.x == 0)
        add_global(&out->nonzero, nonzero);
    if (!__syncthreads_or((c.infs | c.nan) != 0))
        return;
    const uint64_t nan = block_sum(c.nan, shared);
    const uint64_t inf = block_sum(c.infs, shared);
    if (c.first_nan)
        atomicMax((unsigned long long *)&out->first_nan,
                  (unsigned long long)c.first_nan);
    if (threadIdx.x == 0) {
        add_global(&out->nan, nan);
        add_global(&out->inf, inf);
    }
}

template <enum dtype D>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    if constexpr (has_type<D>)
        return start<storage_of<D>>(count_kernel<D>, COUNT, c, stream,
                                    &c->result->count);
    return cudaErrorNotSupported;
}

launch_fn *const OVER(count)[DTYPES_END] = {DTYPES(LAUNCH)};
