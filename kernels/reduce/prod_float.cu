// SPDX-License-Identifier: MIT
//
// Products of floats, in the order that reduce/prod.h defines. A thread has
// eight vectors, one of each row of a group, and so as many of the group's
// lanes as a vector has elements. The group's tree begins across the threads
// that share it and ends within each thread. A block multiplies the 32 groups
// of a leaf; the host multiplies the leaves.
#include "kernels/common/source.cuh"

struct special_counts {
    uint64_t zeros = 0, infs = 0, nans = 0;

    DEVICE void add(enum prod_special kind)
    {
        zeros += kind == PROD_ZERO;
        infs += kind == PROD_INF;
        nans += kind == PROD_NAN;
    }
};

// How groups are shared: a thread has `lanes` lanes of a group, which `threads`
// threads share. A block multiplies `of_pass` groups at a time, a pass, which
// is several leaves or a part of one.
template <enum dtype D> struct group_cut {
    typedef storage_of<D> S;
    static constexpr struct shape shape = sizeof(S) == 2 ? PROD_NARROW : PROD;
    static constexpr int lanes = 16 / (int)sizeof(S);
    static constexpr int threads = PROD_LANES / lanes;
    static constexpr int of_pass = THREADS / threads;
    static constexpr int leaves =
        of_pass > PROD_LEAF_GROUPS ? of_pass / PROD_LEAF_GROUPS : 1;
    static constexpr int passes = leaves * PROD_LEAF_GROUPS / of_pass;
};

// Where fraction and exponents are in a word; of f64, in the upper word.
template <enum dtype D> struct word_layout {
    static constexpr int fraction =
        float_layout<D>::fraction - (D == DTYPE_f64 ? 32 : 0);
    static constexpr int bias = float_layout<D>::bias;
    static constexpr uint32_t inf =
        (uint32_t)(float_layout<D>::inf >> (D == DTYPE_f64 ? 32 : 0));
    static constexpr uint32_t exponents =
        sizeof(storage_of<D>) == 2 ? inf << 16 | inf : inf;
};

// A thread's part of a group.
template <enum dtype D> struct group_part {
    typedef storage_of<D> S;
    typedef group_cut<D> cut;
    typedef word_layout<D> layout;
    static constexpr int lanes = cut::lanes;
    vector16<S> row[PROD_ROWS];
    double product[lanes];
    int exponents;
    uint32_t sign; // 0 or 1

    // Loads the thread's lanes of all rows; `first` is the index of the first.
    // If some are missing, all become zeros, so that scan fails and
    // multiply_any reads the part.
    DEVICE void load(const S *data, size_t n, size_t first)
    {
        const bool whole = first + (PROD_ROWS - 1) * PROD_LANES + lanes <= n;
#pragma unroll
        for (int r = 0; r < PROD_ROWS; r++) {
            row[r].words = make_uint4(0, 0, 0, 0);
            if (whole)
                row[r].words = __ldcs(reinterpret_cast<const uint4 *>(
                    data + first + r * PROD_LANES));
        }
    }

    // Adds the exponents and signs of rows of normal numbers. False if an
    // exponent is all zeros or all ones: zero, subnormal, Inf, NaN.
    template <int ROWS> DEVICE bool scan(const vector16<S> *v)
    {
        constexpr uint32_t mask = layout::exponents;
        constexpr bool halves = sizeof(S) == 2;
        constexpr int step = sizeof(S) == 8 ? 2 : 1;
        uint32_t least = ~0u, most = 0, sum = 0, signs = 0;
#pragma unroll
        for (int i = step - 1; i < 4 * ROWS; i += step) {
            const uint32_t w = v[i / 4].word[i % 4], e = w & mask;
            least = halves ? __vminu2(least, e) : min(least, e);
            most = halves ? __vmaxu2(most, e) : max(most, e);
            sum = halves ? __dp2a_lo(e, 0x0101u, sum)
                         : sum + (e >> layout::fraction);
            signs ^= w;
        }
        if (halves) {
            sum >>= layout::fraction;
            signs ^= signs << 16;
            least = min(least & 0xffff, least >> 16);
            most = max(most & 0xffff, most >> 16);
        }
        if (least == 0 || most == (halves ? mask & 0xffff : mask))
            return false;
        exponents += (int)sum - ROWS * lanes * layout::bias;
        sign ^= signs >> 31;
        return true;
    }

    // 1.f, where f is the fraction of lane j.
    static DEVICE double mantissa(const vector16<S> &v, int j)
    {
        const uint32_t w = v.word[j * sizeof(S) / 4];
        constexpr uint32_t one = 0x3ff00000, fraction = 0x000fffff;
        if constexpr (sizeof(S) == 8) {
            const uint32_t high = v.word[2 * j + 1];
            return __hiloint2double((int)((high & fraction) | one), (int)w);
        } else if constexpr (sizeof(S) == 4) {
            return __hiloint2double((int)((w >> 3 & fraction) | one),
                                    (int)(w << 29));
        } else {
            constexpr int up = 20 - layout::fraction;
            constexpr uint32_t top = fraction & ~0u << up;
            const uint32_t f = j % 2 ? w >> (16 - up) : w << up;
            return __hiloint2double((int)((f & top) | one), 0);
        }
    }

    DEVICE void multiply_row(const vector16<S> &v)
    {
#pragma unroll
        for (int j = 0; j < lanes; j++)
            product[j] *= mantissa(v, j); // the first factor is 1: exact
    }

    DEVICE void multiply(const S *data, size_t n, size_t first,
                         special_counts *counts)
    {
        exponents = 0;
        sign = 0;
#pragma unroll
        for (int j = 0; j < lanes; j++)
            product[j] = 1.0;
        if (!scan<PROD_ROWS>(row)) {
            multiply_any(data, n, first, counts);
            return;
        }
#pragma unroll
        for (int r = 0; r < PROD_ROWS; r++)
            multiply_row(row[r]);
    }

    // Reads the part again, row by row, for rows with a special or missing
    // element.
    DEVICE void multiply_any(const S *data, size_t n, size_t first,
                             special_counts *counts)
    {
#pragma unroll 1
        for (int r = 0; r < PROD_ROWS; r++, first += PROD_LANES) {
            vector16<S> v;
            v.words = make_uint4(0, 0, 0, 0);
            if (first + lanes <= n)
                v.words = *reinterpret_cast<const uint4 *>(data + first);
            if (scan<1>(&v)) {
                multiply_row(v);
                continue;
            }
#pragma unroll
            for (int j = 0; j < lanes; j++)
                multiply_one(
                    j, first + j < n ? to_double<D>(data[first + j]) : 1.0,
                    counts);
        }
    }

    DEVICE void multiply_one(int j, double x, special_counts *counts)
    {
        double m;
        int e;
        counts->add(prod_split(x, &m, &e));
        product[j] *= m;
        exponents += e;
    }

    // The group's product, in the first of its threads.
    DEVICE struct prod_node tree()
    {
        // At most 32 signs are added: they stay below the exponents.
        int both = exponents * 64 + (int)sign;
#pragma unroll
        for (int s = cut::threads / 2; s > 0; s /= 2) {
#pragma unroll
            for (int j = 0; j < lanes; j++)
                product[j] *= __shfl_xor_sync(~0u, product[j], s);
            both += __shfl_xor_sync(~0u, both, s);
        }
#pragma unroll
        for (int s = lanes / 2; s > 0; s /= 2) {
#pragma unroll
            for (int j = 0; j < s; j++)
                product[j] *= product[j + s];
        }
        return prod_normal(both & 1 ? -product[0] : product[0], both >> 6);
    }
};

// The balanced tree over one node a lane; the product is in lane 0.
__device__ struct prod_node tree_product(struct prod_node node)
{
    for (int s = 1; s < 32; s *= 2) {
        struct prod_node right;
        right.mantissa = __shfl_down_sync(~0u, node.mantissa, s);
        right.exponent = (int64_t)shuffle_down((uint64_t)node.exponent, s);
        // The product is unused in lanes that are not a left half.
        node = prod_times(node, right);
    }
    return node;
}

template <enum dtype D>
KERNEL(group_cut<D>::shape)
void prod_float_kernel(const storage_of<D> *data, size_t n,
                       struct gpu_prod *out, struct prod_node *leaf)
{
    typedef group_cut<D> cut;
    constexpr int groups = cut::leaves * PROD_LEAF_GROUPS;
    // Two, in turn: the block fills one while warps multiply the other.
    __shared__ struct prod_node group[2][groups];
    __shared__ uint64_t shared[THREADS / 32];
    special_counts counts;
    const int mine = threadIdx.x / cut::threads;
    const int lane = threadIdx.x % cut::threads * cut::lanes;
    const size_t leaves = (n + PROD_LEAF - 1) / PROD_LEAF;
    int turn = 0;
    for (size_t l = blockIdx.x * (size_t)cut::leaves; l < leaves;
         l += gridDim.x * (size_t)cut::leaves, turn ^= 1) {
        for (int g = mine; g < groups; g += cut::of_pass) {
            group_part<D> part;
            const size_t first = l * PROD_LEAF + g * PROD_GROUP + lane;
            part.load(data, n, first);
            part.multiply(data, n, first, &counts);
            __syncwarp();
            const struct prod_node node = part.tree();
            if (lane == 0)
                group[turn][g] = node;
        }
        __syncthreads();
        const size_t at = l + threadIdx.x / 32;
        if (threadIdx.x < 32 * cut::leaves && at < leaves) {
            const struct prod_node node =
                tree_product(group[turn][threadIdx.x]);
            if (threadIdx.x % 32 == 0)
                leaf[at] = node;
        }
    }
    if (!__syncthreads_or((counts.zeros | counts.infs | counts.nans) != 0))
        return;
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
static cudaError_t launch(const struct gpu_chunk *c, cudaStream_t stream)
{
    typedef storage_of<D> S;
    constexpr struct shape shape = group_cut<D>::shape;
    static_assert(shape.unroll == PROD_ROWS, "a vector of each row");
    if constexpr (float_layout<D>::is_float)
        return start<S>(prod_float_kernel<D>, shape, c, stream,
                        &c->result->prod, c->node);
    return cudaErrorNotSupported;
}

launch_fn *const OVER(prod_float)[DTYPES_END] = {DTYPES(LAUNCH)};
