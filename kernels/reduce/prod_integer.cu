// SPDX-License-Identifier: MIT
// Products of integers, which the last block merges.
#include "kernels/common/source.cuh"

// Merges the products of the block's threads, in thread 0.
static __device__ void block_integer(struct prod_integer *p,
                                     struct prod_integer *shared)
{
    __syncthreads();
    shared[threadIdx.x] = *p;
    for (int s = THREADS / 2; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s)
            prod_integer_merge(&shared[threadIdx.x], &shared[threadIdx.x + s]);
    }
    *p = shared[threadIdx.x];
}

// The product of most data soon exceeds 128 bits; then only a zero matters.
template <class S> struct integer_product {
    static constexpr int size = sizeof(S);
    struct prod_integer p;

    static DEVICE uint4 missing(uint4)
    {
        // Not zero, so that any_zero does not find it; tile does not multiply
        // it.
        return make_uint4(~0u, ~0u, ~0u, ~0u);
    }

    DEVICE void one(S v, size_t)
    {
        const bool negative = (S)-1 < (S)0 && v < 0;
        prod_integer_step(&p, negative,
                          negative ? 0 - (uint64_t)v : (uint64_t)v);
    }

    // Whether an element is 0. A zero of 8 or 16 bits borrows from the bit
    // above it; below the lowest zero of a word nothing can have borrowed.
    static DEVICE bool any_zero(const vector16<S> *v)
    {
        constexpr uint32_t ones = size == 1 ? 0x01010101 : 0x00010001;
        constexpr uint32_t tops = size == 1 ? 0x80808080 : 0x80008000;
        uint32_t borrows = 0;
        bool zero = false;
#pragma unroll
        for (int i = 0; i < 4 * PROD_INTEGER.unroll; i++) {
            const uint32_t w = v[i / 4].word[i % 4];
            if (size <= 2)
                borrows |= (w - ones) & ~w;
            else if (size == 4)
                zero |= w == 0;
            else if (i % 2)
                zero |= (w | v[i / 4].word[i % 4 - 1]) == 0;
        }
        return zero || (borrows & tops) != 0;
    }

    DEVICE void tile(const vector16<S> *v, const S *data, size_t first,
                     int present)
    {
        constexpr int lanes = 16 / size;
        if (p.too_large) {
            p.zero |= any_zero(v);
            return;
        }
#pragma unroll 1
        for (int i = 0; i < present * lanes; i++)
            one(data[first + i / lanes * tile_stride<S> + i % lanes], 0);
    }
};

template <class S>
KERNEL(PROD_INTEGER)
void prod_integer_kernel(source<S> from, size_t n, struct gpu_prod *out,
                         struct prod_integer *of_block, unsigned *ticket)
{
    const S *data = take<S>(from, &n, &out, &ticket);
    if (over_columns && n == 0)
        return;
    of_block += column_number() * gridDim.x;
    __shared__ struct prod_integer shared[THREADS];
    integer_product<S> product;
    prod_integer_one(&product.p);
    each_tile<PROD_INTEGER.unroll>(data, n, product);
    struct prod_integer p = product.p;
    block_integer(&p, shared);
    if (threadIdx.x == 0)
        of_block[blockIdx.x] = p;
    if (!last_block(ticket))
        return;
    prod_integer_one(&p);
    for (unsigned b = threadIdx.x; b < gridDim.x; b += THREADS)
        prod_integer_merge(&p, &of_block[b]);
    block_integer(&p, shared);
    if (threadIdx.x == 0)
        out->integer = p;
}

template <enum dtype D>
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef storage_of<D> S;
    if constexpr (!float_layout<D>::is_float)
        return start<S>(prod_integer_kernel<S>, PROD_INTEGER, c, stream,
                        &c->result->prod, (struct prod_integer *)c->scratch,
                        &c->result->ticket[MONOID_prod]);
    return cudaErrorNotSupported;
}

launch_fn *const OVER(prod_integer)[DTYPES_END] = {DTYPES(LAUNCH)};
