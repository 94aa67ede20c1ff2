// SPDX-License-Identifier: MIT
//
// The data of bench_rank and bench_distinct, and their peer.
#include <cmath>

#include "bench_device.h"
#include "reduce/float_format.h"
#include "reduce/hash.h"

static __device__ uint64_t bits_of(double value, enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_f64:
        return bits_of_double(value);
    case DTYPE_f32:
        return bits_of_float((float)value);
    case DTYPE_f16:
        return small_from_double(value, {10, 5, 1});
    case DTYPE_bf16:
        return small_from_double(value, {7, 8, 1});
    default:
        return (uint64_t)(int64_t)(value * 0x1p30);
    }
}

// Returns a different number for every i. f32: the factor and the number of
// values below infinity have no common divisor.
static __device__ uint64_t distinct_bits(uint64_t i, enum dtype dtype)
{
    if (dtype == DTYPE_f32)
        return i * 2654435761u % 0x7f800000u;
    if (dtype_size(dtype) == 4)
        return hash_value_32((uint32_t)i);
    return dtype == DTYPE_f64 ? i * 2654435761u + (0x3ffull << 52)
                              : hash_value(i);
}

static __device__ uint64_t element_of(uint64_t i, uint64_t n, enum dtype dtype,
                                      enum bench_data kind)
{
    const bool is_float = dtype_is_float(dtype);
    const uint64_t random = hash_value(i ^ 0x5bd1e995);
    const double unit = ((double)(random >> 11) + 0.5) * 0x1p-53;
    switch (kind) {
    case DATA_CONSTANT:
        return bits_of(0.7, dtype);
    case DATA_TWO:
        return bits_of(random % 2 ? 0.3 : 0.7, dtype);
    case DATA_FEW:
        return bits_of((double)(random % 100) / 10, dtype);
    case DATA_MILLION:
        return distinct_bits(random % 1000000, dtype);
    case DATA_SORTED:
        return bits_of((double)i / (double)n, dtype);
    case DATA_DISTINCT:
        return distinct_bits(i, dtype);
    case DATA_NORMAL:
        return bits_of(normcdfinv(unit), dtype);
    default:
        return is_float ? bits_of(unit, dtype) : random;
    }
}

static __global__ void fill(char *data, size_t n, enum dtype dtype,
                            enum bench_data kind)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        const uint64_t bits = element_of(i, n, dtype, kind);
        memcpy(data + i * dtype_size(dtype), &bits, dtype_size(dtype));
    }
}

void bench_draw(struct bench *b)
{
    fill<<<132 * 16, 256, 0, b->stream>>>(b->data, b->n, b->dtype, b->kind);
    cudaStreamSynchronize(b->stream);
}

static __global__ void only_read(const uint4 *p, size_t n, unsigned *out)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    unsigned a = 0;
#pragma unroll 4
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += step) {
        const uint4 x = __ldcs(p + i);
        a ^= x.x ^ x.y ^ x.z ^ x.w;
    }
    if (a == 0x12345678)
        *out = 1;
}

cudaError_t bench_read(const void *data, size_t bytes, unsigned *out,
                       cudaStream_t stream)
{
    only_read<<<132 * 16, 256, 0, stream>>>((const uint4 *)data, bytes / 16,
                                            out);
    return cudaGetLastError();
}

#if __has_include(<cub/device/device_radix_sort.cuh>)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

// 1 for the first of each run of equal elements.
template <class U> struct begins {
    const U *sorted;
    __device__ uint64_t operator()(int64_t i) const
    {
        return i == 0 || sorted[i] != sorted[i - 1];
    }
};

template <class U>
static cudaError_t sort(const void *data, size_t n, void *out,
                        uint64_t *distinct, void *temporary, size_t *bytes,
                        cudaStream_t stream)
{
    const auto first = thrust::make_transform_iterator(
        thrust::counting_iterator<int64_t>(0), begins<U>{(const U *)out});
    size_t more = *bytes;
    cudaError_t code = cub::DeviceRadixSort::SortKeys(
        temporary, *bytes, (const U *)data, (U *)out, (int64_t)n, 0,
        8 * (int)sizeof(U), stream);
    if (code == cudaSuccess && distinct)
        code = cub::DeviceReduce::Sum(temporary, more, first, distinct,
                                      (int64_t)n, stream);
    if (!temporary && more > *bytes)
        *bytes = more;
    return code;
}

cudaError_t bench_peer(enum dtype dtype, const void *data, size_t n, void *out,
                       uint64_t *distinct, void *temporary, size_t *bytes,
                       cudaStream_t stream)
{
    switch (dtype_size(dtype)) {
    case 1:
        return sort<uint8_t>(data, n, out, distinct, temporary, bytes, stream);
    case 2:
        return sort<uint16_t>(data, n, out, distinct, temporary, bytes, stream);
    case 4:
        return sort<uint32_t>(data, n, out, distinct, temporary, bytes, stream);
    default:
        return sort<uint64_t>(data, n, out, distinct, temporary, bytes, stream);
    }
}
#else
cudaError_t bench_peer(enum dtype, const void *, size_t, void *, uint64_t *,
                       void *, size_t *, cudaStream_t)
{
    return cudaErrorNotSupported;
}
#endif
