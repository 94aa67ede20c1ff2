// SPDX-License-Identifier: MIT
//
// A kernel that sums the values of an expression and does not store them. NVRTC
// compiles it: its text, which ../make_text.py makes of this file, comes after
// the expression's (src/formula/kernel.c), which defines T, O and value_of.
// FORMULA_SUM is EXACT_VALUE or EXACT_MAGNITUDE.
//
// Memory gets a tile of values only if it misses the windows: slow_path reads
// it again. A store for each value would move three times the bytes of f64
// data, and five times those of f32.
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
#define UINT64_MAX (~0ull)

namespace std
{
template <bool B, class X, class Y> struct conditional {
    typedef X type;
};
template <class X, class Y> struct conditional<false, X, Y> {
    typedef Y type;
};
template <bool B, class X, class Y>
using conditional_t = typename conditional<B, X, Y>::type;
} // namespace std

#include "kernels/common/sums.h"

struct gpu_result {
    struct gpu_sum sum[3];
};

#include "kernels/reduce/float_sum.cuh"

// Four vectors of 16 bytes of elements, but at most 16 values, which are 32
// registers: f64, f32 and narrower types.
constexpr int LANES = 16 / sizeof(T);
constexpr int VALUES = LANES < 4 ? 4 * LANES : 16;
constexpr size_t TILE = THREADS * VALUES;

typedef float_sum<sizeof(O) == 8 ? DTYPE_f64 : DTYPE_f32, FORMULA_SUM,
                  VALUES * sizeof(O) / 16>
    accumulator;

// The first element of a thread's vector k in a tile.
DEVICE size_t index(unsigned tile, int k)
{
    return tile * TILE + (k * THREADS + threadIdx.x) * LANES;
}

// Computes a thread's values of a tile, -0 for those that are not selected;
// returns how many are selected.
DEVICE unsigned compute(const T *data, unsigned tile, size_t first, O *value,
                        int &odd)
{
    union {
        uint4 vector[VALUES / LANES];
        T at[VALUES];
    } x;
    unsigned selected = 0;
#pragma unroll
    for (int k = 0; k < VALUES / LANES; k++)
        x.vector[k] =
            __ldg(reinterpret_cast<const uint4 *>(data + index(tile, k)));
#pragma unroll
    for (int e = 0; e < VALUES; e++) {
        const size_t i = index(tile, e / LANES) + e % LANES;
        bool is;
        const O y = value_of(x.at[e], i, first, is, odd);
        value[e] = is ? y : (O)-0.0;
        selected += is;
    }
    return selected;
}

// Adds the elements after the last whole tile; returns how many are selected.
// (With incomplete tiles, values of f32 spill: 220 bytes instead of 16.)
DEVICE unsigned add_rest(const T *data, size_t n, size_t first,
                         accumulator *sums, int &odd)
{
    unsigned selected = 0;
    for (size_t i = n / TILE * TILE + blockIdx.x * THREADS + threadIdx.x; i < n;
         i += gridDim.x * THREADS) {
        union {
            O value;
            accumulator::S bits;
        } y;
        bool is;
        y.value = value_of(data[i], i, first, is, odd);
        if (is)
            sums->one(y.bits, i);
        selected += is;
    }
    return selected;
}

// `values` has room for a tile of each block that has one; the results are
// added to *result and *counts, a struct formula_counts.
extern "C" KERNEL(SUM_FLOAT) void formula(const T *data, uint64_t n,
                                          uint64_t first, O *values,
                                          struct gpu_result *result,
                                          uint64_t *counts)
{
    typedef accumulator::S S;
    __shared__ accumulator::shared_type shared;
    accumulator sums(result, &shared);
    unsigned selected = 0;
    int odd = 0;
    for (unsigned t = blockIdx.x; t < n / TILE; t += gridDim.x) {
        union {
            O value[VALUES];
            vector16<S> vector[accumulator::unroll];
        } y;
        selected += compute(data, t, first, y.value, odd);
        sums.tile(y.vector, reinterpret_cast<const S *>(values),
                  blockIdx.x * TILE + threadIdx.x * accumulator::lanes,
                  accumulator::unroll);
    }
    selected += add_rest(data, n, first, &sums, odd);
    sums.finish(n);
    const uint64_t all = warp_sum(selected);
    if (threadIdx.x % 32 == 0)
        add_global(&counts[0], all);
    if (odd)
        counts[1] = 1;
}
