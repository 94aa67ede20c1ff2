// SPDX-License-Identifier: MIT
//
// The slow path of the exact float sums, for a warp whose tile misses the
// windows of its block. The warp sets a window at the greatest magnitude in the
// tile, adds to it, and repeats with what is left until nothing is. All lanes
// work on the same window, so that a window costs the warp one deposit, into
// limbs of its own in shared memory. (Atomics on limbs in global memory reached
// 9 GB/s, with one set of them a window 16.)
#pragma once

#include "kernels/reduce/limbs.cuh"

// The number of limbs that the sums of a type need.
template <enum dtype D, int MAP>
constexpr int limbs_of = 2 * exact_layout(D, (enum exact_map)MAP).words;

// The exponent of the least bit that an addend can have: windows need not go
// below it, and those of f16 then hold everything.
template <enum dtype D, int MAP>
constexpr int least_bit = float_layout<D>::least *(MAP == EXACT_SQUARE ? 2 : 1);

// Whether an element is neither -0 nor NaN.
template <enum dtype D> DEVICE bool is_other(storage_of<D> bits)
{
    typedef storage_of<D> S;
    const double x = to_double<D>((uint64_t)bits);
    return bits != (S)((S)1 << (8 * sizeof(S) - 1)) && x == x;
}

// Exponent bound of a double that is not Inf or NaN: |x| < 2^top.
DEVICE int top_of(double x)
{
    return (__double2hiint(x) >> 20 & 0x7ff) - 1022;
}

// The limbs of each warp of a block, for sums of at most LIMBS limbs. Most
// blocks never use them, so a warp clears its own when it first needs them.
template <int LIMBS> struct warp_limbs {
    int64_t limb[THREADS / 32][LIMBS];
    alignas(8) bool used[THREADS / 32];

    // The whole block calls `open` at the start and `flush` at the end, with a
    // barrier between the last use and `flush`.
    DEVICE void open()
    {
        used[threadIdx.x / 32] = false;
        __syncwarp();
    }

    DEVICE void flush(int64_t *to)
    {
        static_assert(sizeof used == 8, "read as one word");
        if (*reinterpret_cast<const uint64_t *>(used) == 0)
            return;
        for (int i = threadIdx.x; i < LIMBS; i += THREADS) {
            int64_t sum = 0;
            for (int w = 0; w < THREADS / 32; w++)
                sum += used[w] ? limb[w][i] : 0;
            add_global((uint64_t *)&to[i], (uint64_t)sum);
        }
    }

    // As flush, for the limbs of the calling warp.
    DEVICE void flush_warp(int64_t *to)
    {
        const int warp = threadIdx.x / 32;
        __syncwarp();
        if (!used[warp])
            return;
        for (int i = threadIdx.x % 32; i < LIMBS; i += 32)
            add_global((uint64_t *)&to[i], (uint64_t)limb[warp][i]);
    }

    // The limbs of the calling warp; all its lanes call it.
    DEVICE int64_t *mine()
    {
        int64_t *m = limb[threadIdx.x / 32];
        if (!used[threadIdx.x / 32]) {
            __syncwarp();
            for (int i = threadIdx.x % 32; i < LIMBS; i += 32)
                m[i] = 0;
            used[threadIdx.x / 32] = true;
            __syncwarp();
        }
        return m;
    }
};

// Adds one element to the limbs in global memory. It is not inline and takes
// values only, so that the state of the windows stays in registers.
template <enum dtype D, int MAP>
__device__ __noinline__ void to_limbs(storage_of<D> bits, struct gpu_sum *out,
                                      int lsb)
{
    int64_t *limb = sum_of_block<limbs_of<D, MAP>>(out);
    double x = to_double<D>((uint64_t)bits);
    const uint64_t b = bits_of_double(x);
    if ((b >> 52 & 0x7ff) == 0x7ff) {
        const bool minus = MAP == EXACT_VALUE && b >> 63;
        add_global(b << 12 ? &out->nan
                   : minus ? &out->minus_inf
                           : &out->plus_inf,
                   1);
        return;
    }
    if (MAP == EXACT_MAGNITUDE)
        x = fabs(x);
    if (MAP == EXACT_SQUARE && D == DTYPE_f64) {
        const struct scaled s = scaled_of(x, -1074);
        const unsigned __int128 square =
            (unsigned __int128)((__int128)s.value * s.value);
        deposit(limb, (int64_t)(square & ((1ull << 53) - 1)), 2 * s.position);
        deposit(limb, (int64_t)(square >> 53), 2 * s.position + 53);
        return;
    }
    if (MAP == EXACT_SQUARE)
        x *= x;
    const struct scaled s = scaled_of(x, lsb);
    deposit(limb, s.value, s.position);
}

// Adds N doubles of each lane, |x| < 2^1021, to the warp's limbs, whose bit 0
// weighs 2^lsb; all x are multiples of that. Leaves 0 in x. The whole warp
// calls it.
template <int N> DEVICE void slow_path(double (&x)[N], int64_t *limb, int lsb)
{
    int bound = 1021; // every |x| < 2^bound
    for (;;) {
        int top = -1074;
        bool any = false;
#pragma unroll
        for (int i = 0; i < N; i++) {
            any |= x[i] != 0.0;
            top = max(top, top_of(x[i]));
        }
        if (!__any_sync(~0u, any))
            return;
        // The exponent field does not show how small a subnormal is, but the
        // rest of a window is below its unit.
        top = min(warp_max(top), bound);
        // No window below the least subnormal: no double has bits there.
        const struct sum_windows w =
            windows_below(top, 1, lsb > -1074 ? lsb : -1074);
        bound = w.low[0];
        uint64_t sum = 0;
#pragma unroll
        for (int i = 0; i < N; i++) {
            const double t = x[i] + w.magic[0];
            sum += (uint64_t)__double_as_longlong(t);
            x[i] = (w.magic[0] - t) + x[i];
        }
        sum -= N * bits_of_double(w.magic[0]);
        // 32 lanes of at most 8 addends of 2^51: 2^59.
        sum = warp_sum(sum);
        if (threadIdx.x % 32 == 0) {
            const struct deposit d =
                deposit_split((int64_t)sum, (unsigned)(w.low[0] - lsb));
            for (int i = 0; i < 3; i++)
                limb[d.limb + i] += d.part[i];
        }
    }
}

// Adds the squares of N doubles of each lane. A square and its error are exact
// doubles only for exponents near 0. So small and large x are scaled by a power
// of two, and the weight of the square by its square.
template <int N>
DEVICE void slow_path_squares(const double (&x)[N], int64_t *limb, int lsb)
{
    const double small = 0x1p-400, large = 0x1p+500;
#pragma unroll 1
    for (int scale = -600; scale <= 600; scale += 600) {
        const double factor = scale < 0 ? 0x1p-600 : scale > 0 ? 0x1p+600 : 1.0;
        double square[N], error[N];
#pragma unroll
        for (int i = 0; i < N; i++) {
            const double m = fabs(x[i]);
            const bool mine = scale > 0   ? m < small
                              : scale < 0 ? m >= large
                                          : m >= small && m < large;
            const double y = mine ? x[i] * factor : 0.0;
            square[i] = y * y;
            error[i] = fma(y, y, -square[i]);
        }
        // 2^lsb is 2^(lsb + 2 scale) in the scaled numbers.
        slow_path(square, limb, lsb + 2 * scale);
        slow_path(error, limb, lsb + 2 * scale);
    }
}

// Adds a warp's tile, which it reads again. `data` is the lane's first vector;
// the first `present` of its vectors exist. Inf, NaN and the top binades, which
// no window reaches, are added one by one.
template <enum dtype D, int MAP, int UNROLL>
__device__ __noinline__ void slow_path_tile(const storage_of<D> *data,
                                            int present, struct gpu_sum *out,
                                            int64_t *limb, int lsb)
{
    typedef storage_of<D> S;
    constexpr int lanes = 16 / (int)sizeof(S);
    // 8 doubles at a time, or 4 if each becomes a square and an error.
    constexpr int most = D == DTYPE_f64 && MAP == EXACT_SQUARE ? 4 : 8;
    constexpr int vectors = most / lanes;
#pragma unroll 1
    for (int u = 0; u < UNROLL; u += vectors) {
        double x[most];
#pragma unroll
        for (int k = 0; k < vectors; k++) {
            vector16<S> v;
            v.words = make_uint4(0, 0, 0, 0);
            if (u + k < present)
                v.words = *reinterpret_cast<const uint4 *>(
                    data + (u + k) * tile_stride<S>);
#pragma unroll
            for (int j = 0; j < lanes; j++) {
                double y = to_double<D>((uint64_t)v.at[j]);
                if (!(fabs(y) < 0x1p1020)) {
                    to_limbs<D, MAP>(v.at[j], out, lsb);
                    y = 0.0;
                }
                if (MAP == EXACT_MAGNITUDE)
                    y = fabs(y);
                if (MAP == EXACT_SQUARE && D != DTYPE_f64)
                    y *= y;
                x[k * lanes + j] = y;
            }
        }
        if (MAP == EXACT_SQUARE && D == DTYPE_f64)
            slow_path_squares(x, limb, lsb);
        else
            slow_path(x, limb, lsb);
    }
}
