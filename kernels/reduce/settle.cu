// SPDX-License-Identifier: MIT
// Merges the results of columns into states that stay on the device for the
// run. A warp settles a column.
#include "kernels/reduce/settle.h"

#include "kernels/common/family.h"
#include "kernels/common/tuning.h"

constexpr int WARPS = THREADS / 32;

struct settling {
    struct gpu_columns columns;
    struct gpu_result *result; // [columns.count]
    char *bank;                // of the monoid's states
    size_t size;               // bytes of a state
    uint64_t first;            // the position of row 0
    struct gpu_packing packing;
};

// Sets *column to the warp's column and returns how many values it has: 0 if
// the warp has no column.
static __device__ unsigned column_of_warp(const struct settling &s,
                                          unsigned *column)
{
    *column = blockIdx.x * WARPS + threadIdx.x / 32;
    return *column < s.columns.count ? s.columns.cells[*column].used : 0;
}

// Turns an index among a column's values into a position.
static __device__ void place(const struct settling &s, unsigned column,
                             unsigned n, uint64_t *index)
{
    if (*index == INDEX_NONE)
        return;
    const size_t at = column * s.columns.pitch + *index;
    *index = s.first + (n == s.columns.rows ? *index : s.columns.row_of[at]);
}

static __global__ void settle_counts(const __grid_constant__ struct settling s)
{
    unsigned column;
    const unsigned n = column_of_warp(s, &column);
    if (n == 0 || threadIdx.x % 32)
        return;
    struct gpu_count *from = &s.result[column].count;
    struct count c;
    settle_count(&c, from);
    place(s, column, n, &c.first_nan);
    count_merge((struct count *)(s.bank + column * s.size), &c);
    *from = {0, 0, 0, 0};
}

template <bool MAGNITUDE>
static __global__ void
settle_extremes(const __grid_constant__ struct settling s)
{
    unsigned column;
    const unsigned n = column_of_warp(s, &column), lane = threadIdx.x % 32;
    if (n == 0)
        return;
    struct gpu_extrema *from = &s.result[column].extrema[MAGNITUDE];
    if (lane == 0) {
        struct extrema x;
        settle_extrema(&x, from, n, s.packing, MAGNITUDE);
        place(s, column, n, &x.first_nan);
        place(s, column, n, &x.min.index);
        place(s, column, n, &x.max.index);
        extrema_merge((struct extrema *)(s.bank + column * s.size), &x);
        from->nans = from->first_nan = 0;
    }
    __syncwarp();
    if (lane < 2 * GPU_SUMS_MAX)
        from->packed[lane / 2][lane % 2] = 0;
}

// Words of the longest sum that has kernels.
constexpr unsigned WORDS = exact_layout(DTYPE_f64, EXACT_SQUARE).words;

// All lanes add up limbs and load words; one lane carries.
template <int MAP>
static __global__ void settle_sums(const __grid_constant__ struct settling s)
{
    __shared__ int64_t limb_of[WARPS][2 * WORDS];
    __shared__ uint64_t word_of[WARPS][WORDS];
    unsigned column;
    const unsigned n = column_of_warp(s, &column), lane = threadIdx.x % 32;
    if (n == 0)
        return;
    int64_t *limb = limb_of[threadIdx.x / 32];
    uint64_t *word = word_of[threadIdx.x / 32];
    struct gpu_sum *from = &s.result[column].sum[MAP];
    struct exact *x = (struct exact *)(s.bank + column * s.size);
    const unsigned words = x->words, limbs = 2 * words;
    for (unsigned i = lane; i < limbs; i += 32) {
        limb[i] = 0;
        for (unsigned sum = 0; sum < GPU_SUMS(limbs); sum++)
            limb[i] += from->limb[sum * GPU_SUM_STRIDE(limbs) + i];
    }
    for (unsigned i = lane; i < words; i += 32)
        word[i] = x->word[i];
    __syncwarp();
    if (lane == 0) {
        words_add_limbs(word, words, limb, limbs);
        settle_specials(x, from, n, s.packing.is_float);
        from->nan = from->plus_inf = from->minus_inf = 0;
    }
    __syncwarp();
    for (unsigned i = lane; i < words; i += 32)
        x->word[i] = word[i];
    for (unsigned i = lane; i < GPU_LIMBS; i += 32)
        from->limb[i] = 0;
}

// Products of integers only: those of floats depend on the order of chunks.
static __global__ void
settle_products(const __grid_constant__ struct settling s)
{
    unsigned column;
    if (column_of_warp(s, &column) == 0 || threadIdx.x % 32)
        return;
    struct prod *p = (struct prod *)(s.bank + column * s.size);
    prod_integer_merge(&p->integer, &s.result[column].prod.integer);
}

typedef void settle_fn(const struct settling s);

// In the order of MONOIDS, as in launch.cu.
static settle_fn *const table[] = {
    settle_counts,
    settle_sums<EXACT_VALUE>,
    settle_sums<EXACT_MAGNITUDE>,
    settle_sums<EXACT_SQUARE>,
    settle_products,
    settle_extremes<false>,
    settle_extremes<true>,
};
static_assert(GPU_MONOIDS == (1u << sizeof table / sizeof table[0]) - 1,
              "a row for each");

cudaError_t gpu_settle(unsigned monoids, enum dtype dtype,
                       const struct gpu_chunk *chunk, uint64_t first,
                       const struct gpu_states *states, cudaStream_t stream)
{
    const struct gpu_packing packing = gpu_packing_of(dtype);
    const unsigned blocks = (chunk->columns.count + WARPS - 1) / WARPS;
    for (int m = 0; m < MONOIDS_END; m++) {
        const struct settling s = {chunk->columns,  chunk->result,
                                   states->bank[m], states->size[m],
                                   first,           packing};
        if (monoids >> m & 1)
            table[m]<<<blocks, THREADS, 0, stream>>>(s);
    }
    return cudaGetLastError();
}
