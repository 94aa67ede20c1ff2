// SPDX-License-Identifier: MIT
//
// What the exact float sums have in common: where their sums go, what tells a
// sum of nothing but -0, the kernel and its launcher. An accumulator (in
// sum_float.cu, moments.cu, narrow.cuh) adds the windows.
#pragma once

#include <type_traits>

#include "sweep.cuh"

// Bits of the significand below the first.
template <enum dtype D> constexpr int fraction_bits =
    D == DTYPE_f64    ? 52
    : D == DTYPE_f32  ? 23
    : D == DTYPE_bf16 ? 7
                      : 10;

// Adds x to the sum of a window; returns what is left of it below, never -0.
// `outside` has bits above the low 20 set if ever x did not fit.
__device__ __forceinline__ double into_window(double x, double magic,
                                              uint64_t *sum,
                                              uint32_t *outside = nullptr)
{
    const double t = x + magic;
    *sum += (uint64_t)__double_as_longlong(t);
    if (outside)
        *outside |= __double2hiint(t) ^ __double2hiint(magic);
    return (magic - t) + x;
}

// Adds x to the sums of two adjoining windows; returns what is left of it below
// both, never -0. The second magic number is 3 * 2^low of the first window:
// `both`, the sum of the two, is exact, and so are both - t, as that is a
// multiple of 2^low, and both - t - u, which is x cut at the second window,
// negated. An addition less than twice into_window.
__device__ __forceinline__ double into_windows(double x, double magic,
                                               double both, uint64_t *first,
                                               uint64_t *second,
                                               uint32_t *outside = nullptr)
{
    const double t = x + magic;
    const double rest = both - t;
    const double u = rest + x;
    *first += (uint64_t)__double_as_longlong(t);
    *second += (uint64_t)__double_as_longlong(u);
    if (outside)
        *outside |= __double2hiint(t) ^ __double2hiint(magic);
    return (rest - u) + x;
}

// Where one of a block's sums goes. APART: see deposit.
template <enum dtype D, int MAP, bool APART> struct destination {
    typedef typename element<D>::storage S;
    typedef warp_limbs<limbs_of<D, MAP>> limbs_type;
    static constexpr int lsb = EXACT_LSB(D, MAP);

    struct gpu_result *result; // not of the sum: two share the register
    limbs_type *limbs;

    __device__ __forceinline__ destination(struct gpu_result *result_,
                                           limbs_type *limbs_)
        : result(result_), limbs(limbs_)
    {
        limbs->open();
    }

    __device__ __forceinline__ struct gpu_sum *out() const
    {
        return &result->sum[MAP];
    }

    // Adds every thread's values, whose positions are from 2^0 on. Apart from
    // the kernel's code where its loop has no register to spare: both sums came
    // to 0.83 of reading alone for f64, 0.81 for f16, 0.73 for bf16; together
    // with it, to 0.73 or 0.81, 0.77 and 0.66.
    template <int N>
    __device__ __forceinline__ void deposit(struct portions<N> p) const
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            p.position[i] -= lsb;
        if constexpr (APART)
            block_deposit_apart(out()->limb, p);
        else
            block_deposit(out()->limb, p);
    }

    template <int UNROLL>
    __device__ __forceinline__ void sweep(const S *data, int present)
    {
        sweep_tile<D, MAP, UNROLL>(data, present, out(), limbs->mine(), lsb);
    }

    __device__ __forceinline__ void one(S bits)
    {
        to_limbs<D, MAP>(bits, out(), lsb);
    }

    __device__ __forceinline__ void finish(bool not_negative_zero)
    {
        if (__syncthreads_or(not_negative_zero) && threadIdx.x == 0)
            atomicOr((unsigned long long *)&out()->not_negative_zero, 1ull);
        limbs->flush(out()->limb);
    }
};

struct nowhere {
    struct limbs_type {
    };
    __device__ __forceinline__ nowhere(struct gpu_result *, limbs_type *)
    {
    }
    template <int> __device__ __forceinline__ void sweep(const void *, int)
    {
    }
    __device__ __forceinline__ void one(uint64_t)
    {
    }
    __device__ __forceinline__ void finish(bool)
    {
    }
};

// The base of an accumulator ACC for the sum of MAP, and, where BOTH, the sum
// of squares besides. ACC sets its windows over the block's tile (anchor), adds
// a tile if the warp's part of it fits them (add, false where not), and gives
// its sums to the limbs (give); all threads of the block make the same calls.
template <class ACC, enum dtype D, int MAP, bool BOTH> struct exact_base {
    typedef typename element<D>::storage S;
    static constexpr bool squares = BOTH || MAP == EXACT_SQUARE;
    static constexpr bool apart =
        sizeof(S) == 2 ? squares : BOTH && D == DTYPE_f64;
    typedef destination<D, MAP, apart> first_type;
    typedef std::conditional_t<BOTH, destination<D, EXACT_SQUARE, apart>,
                               nowhere>
        second_type;
    struct shared_type {
        int64_t words[THREADS / 32];
        typename first_type::limbs_type first;
        typename second_type::limbs_type second;
    };
    static constexpr struct shape shape =
        BOTH || (D == DTYPE_f64 && squares) ? MOMENTS : SUM_FLOAT;
    static constexpr int unroll = shape.unroll;
    static constexpr int lanes = 16 / (int)sizeof(S);
    static constexpr int elements = unroll * lanes; // of a thread's tile

    int64_t *words; // a word a warp
    first_type first;
    second_type second;
    bool not_negative_zero;
    bool missed; // since the windows were set, by the thread's warp
    int tiles;   // since then; 0: they are not

    __device__ __forceinline__ exact_base(struct gpu_result *result,
                                          shared_type *shared)
        : words(shared->words), first(result, &shared->first),
          second(result, &shared->second),
          not_negative_zero(MAP != EXACT_VALUE), missed(false), tiles(0)
    {
    }

    // After the last flush; the whole block calls it.
    __device__ __forceinline__ void finish(size_t n)
    {
        first.finish(not_negative_zero && n > 0);
        second.finish(n > 0);
    }

    __device__ __forceinline__ void one(S bits, size_t)
    {
        not_negative_zero |= is_other<D>(bits);
        first.one(bits);
        second.one(bits);
    }

    // Windows are set anew when a sum might overflow and when a warp's part has
    // missed them, which is asked for after 4, 8, 16, ... tiles: numbers that
    // rise along the data double that often, and a barrier in 8 tiles cost
    // bf16's two sums 6 %. (Without: 0.65 of reading alone for ascending f32,
    // with: 0.98.)
    __device__ __forceinline__ void tile(const vector16<S> *v, const S *data,
                                         size_t at, int present)
    {
        ACC *acc = static_cast<ACC *>(this);
        if (tiles == 0)
            acc->anchor(v);
        look_for_other(v);
        if (!acc->add(v)) {
            sweep(data + at, present);
            missed = true;
        }
        tiles++;
        if (tiles == ACC::tiles_max ||
            (tiles >= 4 && (tiles & (tiles - 1)) == 0 &&
             __syncthreads_or(missed)))
            flush();
    }

    __device__ __forceinline__ void flush()
    {
        if (tiles == 0)
            return;
        static_cast<ACC *>(this)->give();
        missed = false;
        tiles = 0;
    }

    // -0 changes neither a sum nor what tells -0 apart.
    static __device__ __forceinline__ uint4 missing(uint4)
    {
        const uint32_t high = sizeof(S) == 2 ? 0x80008000 : 0x80000000;
        const uint32_t low = sizeof(S) == 8 ? 0 : high;
        return make_uint4(low, high, low, high);
    }

    // A warp's tile that missed the windows.
    __device__ __forceinline__ void sweep(const S *data, int present)
    {
        first.template sweep<unroll>(data, present);
        second.template sweep<unroll>(data, present);
    }

    __device__ __forceinline__ void look_for_other(const vector16<S> *v)
    {
        if (not_negative_zero)
            return;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++)
                not_negative_zero |= is_other<D>(v[u].at[j]);
        }
    }

    // The block's |x| < 2^top, Inf and NaN left out; in every thread.
    __device__ __forceinline__ int top_of_tile(const vector16<S> *v)
    {
        constexpr int special = D == DTYPE_f64   ? 0x7ff
                                : D == DTYPE_f16 ? 0x1f
                                                 : 0xff;
        int top = 0;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++) {
                const int e = (int)(v[u].at[j] >> fraction_bits<D>) & special;
                top = e < special ? max(top, e) : top;
            }
        }
        return block_max(top, words) - (special / 2 - 1);
    }

    // Whether the last bit of any of the block's, bf16 and not 0, weighs less
    // than 2^least.
    __device__ __forceinline__ bool any_below(const vector16<S> *v, int least)
    {
        static_assert(D == DTYPE_bf16, "only there it matters");
        // The exponent of those that are just not; subnormals' bits weigh as
        // those of the least normals.
        const int normal = max(least + fraction_bits<D> + 127, 1);
        bool below = false;
#pragma unroll
        for (int u = 0; u < unroll; u++) {
#pragma unroll
            for (int j = 0; j < lanes; j++) {
                const int magnitude = v[u].at[j] & 0x7fff;
                below |= magnitude &&
                         max(magnitude >> fraction_bits<D>, 1) < normal;
            }
        }
        return __syncthreads_or(below);
    }
};

template <class ACC>
__global__ __launch_bounds__(THREADS, blocks_of(ACC::shape)) void exact_kernel(
    const typename ACC::S *data, size_t n, struct gpu_result *result)
{
    __shared__ typename ACC::shared_type shared;
    ACC sums(result, &shared);
    each_tile<ACC::unroll>(data, n, sums);
    sums.flush();
    sums.finish(n);
}

template <class ACC>
static cudaError_t launch_exact(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename ACC::S S;
    int blocks = blocks_for(exact_kernel<ACC>, c->n, sizeof(S), ACC::shape);
    exact_kernel<ACC><<<blocks, THREADS, 0, stream>>>((const S *)c->data, c->n,
                                                      c->result);
    return cudaGetLastError();
}
