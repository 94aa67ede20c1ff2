// SPDX-License-Identifier: MIT
#include "peers.h"

#if __has_include(<cub/device/device_reduce.cuh>)
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// The element types for CUB, and two types for sums: the usual one, and one
// wide enough that a sum neither wraps nor stalls.
template <enum dtype D> struct peer_type;
#define TYPE(dtype, T, PLAIN, WIDE)               \
    template <> struct peer_type<DTYPE_##dtype> { \
        typedef T type;                           \
        typedef PLAIN plain;                      \
        typedef WIDE wide;                        \
    }
TYPE(f16, __half, float, float);
TYPE(bf16, __nv_bfloat16, float, float);
TYPE(f32, float, float, double);
TYPE(f64, double, double, double);
TYPE(i8, int8_t, int64_t, int64_t);
TYPE(i16, int16_t, int64_t, int64_t);
TYPE(i32, int32_t, int32_t, int64_t);
TYPE(i64, int64_t, int64_t, int64_t);
TYPE(u8, uint8_t, uint64_t, uint64_t);
TYPE(u16, uint16_t, uint64_t, uint64_t);
TYPE(u32, uint32_t, uint32_t, uint64_t);
TYPE(u64, uint64_t, uint64_t, uint64_t);
#undef TYPE

template <class A> struct widen {
    template <class T> __device__ A operator()(T x) const
    {
        return static_cast<A>(x);
    }
};

template <class A> struct widen_square {
    template <class T> __device__ A operator()(T x) const
    {
        return static_cast<A>(x) * static_cast<A>(x);
    }
};

template <class T, class A, class F>
static cudaError_t sum(const struct peer_chunk *c, cudaStream_t stream)
{
    size_t bytes = PEER_BYTES;
    return cub::DeviceReduce::TransformReduce(
        c->temporary, bytes, (const T *)c->data, (A *)c->out, (int64_t)c->n,
        ::cuda::std::plus<A>(), F(), A(0), stream);
}

template <class T>
static cudaError_t plain_sum(const struct peer_chunk *c, cudaStream_t stream)
{
    size_t bytes = PEER_BYTES;
    return cub::DeviceReduce::Sum(c->temporary, bytes, (const T *)c->data,
                                  (T *)c->out, (int64_t)c->n, stream);
}

template <class T>
static cudaError_t max(const struct peer_chunk *c, cudaStream_t stream)
{
    size_t bytes = PEER_BYTES;
    return cub::DeviceReduce::Max(c->temporary, bytes, (const T *)c->data,
                                  (T *)c->out, (int64_t)c->n, stream);
}

template <class T>
static cudaError_t argmax(const struct peer_chunk *c, cudaStream_t stream)
{
    size_t bytes = PEER_BYTES;
    return cub::DeviceReduce::ArgMax(c->temporary, bytes, (const T *)c->data,
                                     (T *)c->out, (int64_t *)c->out_index,
                                     (int64_t)c->n, stream);
}

template <enum dtype D> static const struct peer *find(enum monoid monoid)
{
    typedef typename peer_type<D>::type T;
    typedef typename peer_type<D>::plain P;
    typedef typename peer_type<D>::wide W;
    static const struct peer extrema[] = {
        {"max", max<T>}, {"argmax", argmax<T>}, {}};
    static const struct peer squares[] = {
        {"squares, widened", sum<T, W, widen_square<W>>}, {}};
    static const struct peer widened[] = {{"sum, widened", sum<T, W, widen<W>>},
                                          {}};
    if (monoid == MONOID_extrema)
        return extrema;
    if (monoid == MONOID_sumsq)
        return squares;
    if constexpr (std::is_same<T, P>::value) {
        static const struct peer both[] = {
            {"sum", plain_sum<T>}, {"sum, widened", sum<T, W, widen<W>>}, {}};
        return both;
    }
    return widened;
}

const struct peer *peers_of(enum monoid monoid, enum dtype dtype)
{
    static const struct peer none = {};
    typedef const struct peer *find_fn(enum monoid);
#define ROW(name, ...) find<DTYPE_##name>,
    static find_fn *const finders[] = {DTYPES(ROW)};
    const unsigned have =
        MONOID_BIT(sum) | MONOID_BIT(sumsq) | MONOID_BIT(extrema);
    return have >> monoid & 1 ? finders[dtype](monoid) : &none;
}
#else
const struct peer *peers_of(enum monoid, enum dtype)
{
    static const struct peer none = {};
    return &none;
}
#endif
