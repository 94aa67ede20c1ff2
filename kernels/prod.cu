// SPDX-License-Identifier: MIT
// Products; reduce/prod.h says in which order. A warp multiplies a group, a
// block the 32 groups of a leaf, which the host folds on.
#include "tiles.cuh"

struct special_counts {
    uint64_t zeros = 0, infs = 0, nans = 0;

    __device__ __forceinline__ void add(enum prod_special kind)
    {
        zeros += kind == PROD_ZERO;
        infs += kind == PROD_INF;
        nans += kind == PROD_NAN;
    }
};

// The product of the group that starts at data[first], in lane 0.
template <enum dtype D>
__device__ struct prod_node group_product(
    const typename element<D>::storage *data, size_t n, size_t first,
    special_counts *counts)
{
    const int lane = threadIdx.x % 32;
    double product = 1.0;
    int exponents = 0;
#pragma unroll
    for (int row = 0; row < PROD_ROWS; row++) {
        size_t i = first + row * PROD_LANES + lane;
        double mantissa;
        int exponent;
        double x = i < n ? to_double<D>((uint64_t)data[i]) : 1.0;
        counts->add(prod_split(x, &mantissa, &exponent));
        product *= mantissa; // the first by 1: exact
        exponents += exponent;
    }
    for (int s = PROD_LANES / 2; s > 0; s /= 2) {
        product *= __shfl_down_sync(~0u, product, s);
        exponents += __shfl_down_sync(~0u, exponents, s);
    }
    return prod_normal(lane == 0 ? product : 1.0, exponents);
}

// The balanced tree over a node a lane, in lane 0.
__device__ struct prod_node tree_product(struct prod_node node)
{
    for (int s = 1; s < 32; s *= 2) {
        struct prod_node right;
        right.mantissa = __shfl_down_sync(~0u, node.mantissa, s);
        right.exponent = (int64_t)shuffle_down((uint64_t)node.exponent, s);
        // Lanes that are no left half multiply what nobody reads.
        node = prod_times(node, right);
    }
    return node;
}

template <enum dtype D>
__global__ __launch_bounds__(THREADS) void prod_kernel(
    const typename element<D>::storage *data, size_t n, struct gpu_prod *out,
    struct prod_node *leaf)
{
    __shared__ struct prod_node group[PROD_LEAF_GROUPS];
    __shared__ uint64_t shared[THREADS / 32];
    special_counts counts;
    const size_t leaves = (n + PROD_LEAF - 1) / PROD_LEAF;
    for (size_t l = blockIdx.x; l < leaves; l += gridDim.x) {
        for (int g = threadIdx.x / 32; g < PROD_LEAF_GROUPS; g += THREADS / 32) {
            struct prod_node node = group_product<D>(
                data, n, l * PROD_LEAF + g * PROD_GROUP, &counts);
            if (threadIdx.x % 32 == 0)
                group[g] = node;
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            struct prod_node node = tree_product(group[threadIdx.x]);
            if (threadIdx.x == 0)
                leaf[l] = node;
        }
        __syncthreads();
    }
    uint64_t zeros = block_sum(counts.zeros, shared);
    uint64_t infs = block_sum(counts.infs, shared);
    uint64_t nans = block_sum(counts.nans, shared);
    if (threadIdx.x == 0) {
        add_global(&out->zeros, zeros);
        add_global(&out->infs, infs);
        add_global(&out->nans, nans);
    }
}

template <enum dtype D>
static cudaError_t launch_float(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef typename element<D>::storage S;
    size_t leaves = (c->n + PROD_LEAF - 1) / PROD_LEAF;
    int blocks = leaves < GPU_BLOCKS_MAX ? (int)leaves : GPU_BLOCKS_MAX;
    prod_kernel<D><<<blocks ? blocks : 1, THREADS, 0, stream>>>(
        (const S *)c->data, c->n, &c->result->prod, c->node);
    return cudaGetLastError();
}

// The merge over the block, in thread 0.
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

template <class S>
__global__ __launch_bounds__(THREADS) void prod_integer_kernel(
    const S *data, size_t n, struct gpu_prod *out,
    struct prod_integer *of_block, unsigned *ticket)
{
    __shared__ struct prod_integer shared[THREADS];
    struct prod_integer p;
    prod_integer_one(&p);
    const size_t step = (size_t)gridDim.x * THREADS;
    for (size_t i = blockIdx.x * THREADS + threadIdx.x; i < n; i += step) {
        const S v = data[i];
        const bool negative = (S)-1 < (S)0 && v < 0;
        prod_integer_step(&p, negative,
                          negative ? 0 - (uint64_t)v : (uint64_t)v);
    }
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

template <class S>
static cudaError_t launch_integer(const struct gpu_chunk *c,
                                  cudaStream_t stream)
{
    int blocks = grid_for(c->n, sizeof(S), 1, 8);
    prod_integer_kernel<S><<<blocks, THREADS, 0, stream>>>(
        (const S *)c->data, c->n, &c->result->prod,
        (struct prod_integer *)c->scratch, &c->result->ticket[MONOID_prod]);
    return cudaGetLastError();
}

launch_fn *const prod_launchers[DTYPES_END] = {
    launch_float<DTYPE_f16>,   launch_float<DTYPE_bf16>,
    launch_float<DTYPE_f32>,   launch_float<DTYPE_f64>,
    launch_integer<int8_t>,    launch_integer<int16_t>,
    launch_integer<int32_t>,   launch_integer<int64_t>,
    launch_integer<uint8_t>,   launch_integer<uint16_t>,
    launch_integer<uint32_t>,  launch_integer<uint64_t>,
};
