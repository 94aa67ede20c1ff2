/* SPDX-License-Identifier: MIT */
/* How the host turns kernels' results into states, without a GPU. The test
 * packs words as struct gpu_extrema defines them and compares the states with
 * those of the CPU loops over the same element. */
#include "backend/cuda/result.h"

#include "check.h"
#include "reduce/cpu/accumulator.h"

enum { FIRST = 1000 }; /* elements before the chunk */

/* Returns a key that orders values of a type as unsigned integers, in as many
 * bits. -0 and +0 have the same key. */
static uint64_t key_of(enum dtype dtype, bool magnitude, uint64_t bits)
{
    unsigned width = 8 * dtype_info(dtype)->size;
    uint64_t ones = ~0ull >> (64 - width), sign = 1ull << (width - 1);
    if (dtype_is_float(dtype)) {
        if (magnitude || bits == sign)
            bits &= ~sign;
        return bits & sign ? bits ^ ones : bits | sign;
    }
    if (!dtype_is_signed(dtype))
        return bits;
    if (magnitude)
        return bits & sign ? (0 - bits) & ones : bits;
    return bits ^ sign;
}

static uint64_t pack(enum dtype dtype, bool magnitude, bool greatest,
                     uint64_t bits, uint64_t index)
{
    unsigned width = 8 * dtype_info(dtype)->size;
    uint64_t key = key_of(dtype, magnitude, bits);
    bool minus =
        dtype_is_float(dtype) && !magnitude && bits == 1ull << (width - 1);
    if (greatest)
        key = ~key & ~0ull >> (64 - width);
    return ~(key << (64 - width) | index << 1 | minus);
}

static void check_one(enum dtype dtype, bool magnitude, uint64_t bits)
{
    static struct gpu_result r; /* zero but for the rows that a check sets */
    enum monoid monoid = magnitude ? MONOID_absextrema : MONOID_extrema;
    struct gpu_extrema *from = &r.extrema[magnitude];
    uint64_t index = check_random() >> 34, other = index + 1;
    unsigned row = check_random() % GPU_SUMS_MAX;
    struct chunk chunk = {.n = (size_t)1 << 30, .first = FIRST};
    union state got, want;
    static struct accumulator w;
    accumulator_init(&w, monoid, dtype);
    monoids[monoid].init(&want, dtype);
    accumulator_begin(&w, &want);
    cpu_loops(0)->run[monoid][dtype](&w, &bits, 1, FIRST + index);
    accumulator_end(&w);
    /* The extreme words of a row; another row has the element at a later
     * index, which must not win. */
    for (int i = 0; i < 2; i++) {
        from->packed[row][i] = pack(dtype, magnitude, i, bits, index);
        from->packed[(row + 1) % GPU_SUMS_MAX][i] =
            pack(dtype, magnitude, i, bits, other);
    }
    cuda_read_state(monoid, dtype, &got, &r, &chunk, NULL);
    const struct extrema *a = &got.extrema, *b = &want.extrema;
    CHECK(memcmp(&a->min, &b->min, sizeof a->min) == 0 &&
              memcmp(&a->max, &b->max, sizeof a->max) == 0,
          "%s %s 0x%" PRIx64, dtype_info(dtype)->name, monoids[monoid].name,
          bits);
    memset(from->packed, 0, sizeof from->packed);
}

static bool is_nan(enum dtype dtype, uint64_t bits)
{
    double x = dtype_is_float(dtype) ? dtype_to_double(dtype, bits) : 0;
    return x != x;
}

static void test_extremes(void)
{
    for (int d = 0; d < DTYPES_END; d++) {
        unsigned size = dtype_info(d)->size;
        uint64_t end = size == 1 ? 256 : size <= 4 ? 1u << 16 : 0, step = 1;
        for (uint64_t i = 0; i < end; i += step) {
            uint64_t bits = size == 4 ? i << 16 | (check_random() & 0xffff) : i;
            if (size == 4 && check_below(2))
                bits &= 0xffff0000;
            /* A step never skips -0. */
            step = size == 1 ? 1 : 1 + check_below(64);
            if (i < 0x8000 && i + step > 0x8000)
                step = 0x8000 - i;
            if (size == 4 && i == 0x8000)
                bits = 0x80000000;
            if (is_nan(d, bits))
                continue;
            check_one(d, false, bits);
            check_one(d, true, bits);
        }
    }
}

static void test_no_number(void)
{
    static struct gpu_result r;
    struct chunk chunk = {.n = 7, .first = FIRST};
    union state got;
    r.extrema[0].nans = 7;
    r.extrema[0].first_nan = ~3ull;
    cuda_read_state(MONOID_extrema, DTYPE_f32, &got, &r, &chunk, NULL);
    CHECK_U64(got.extrema.nans, 7);
    CHECK_U64(got.extrema.first_nan, FIRST + 3);
    CHECK_U64(got.extrema.min.index, INDEX_NONE);
    CHECK_U64(got.extrema.max.index, INDEX_NONE);
}

/* Only floats have counts of zeros, Inf and NaN, and leaves; only integers the
 * product itself. */
static void test_products(void)
{
    static struct gpu_result r;
    struct chunk chunk = {.n = 2 * PROD_LEAF + 1, .first = 8 * PROD_LEAF};
    const struct prod_node node[3] = {{1.5, 2}, {1.25, 3}, {1.5, -1}};
    union state got;
    r.prod = (struct gpu_prod){2, 3, 4, {.low = 6}};
    cuda_read_state(MONOID_prod, DTYPE_f64, &got, &r, &chunk, node);
    const struct prod *p = &got.prod;
    CHECK(p->zeros == 2 && p->infs == 3 && p->nans == 4);
    CHECK(p->begin == 8 && p->end == 11 && p->integer.low == 1);
    const struct prod_node whole = prod_value(p);
    CHECK(whole.mantissa == 1.5 * 1.25 * 1.5 / 2 && whole.exponent == 5);
    chunk = (struct chunk){.n = 2 * PROD_LEAF};
    cuda_read_state(MONOID_prod, DTYPE_f64, &got, &r, &chunk, node);
    CHECK(p->begin == 0 && p->end == 2);
    cuda_read_state(MONOID_prod, DTYPE_i32, &got, &r, &chunk, node);
    CHECK(p->nodes == 0 && p->integer.low == 6);
}

static void test_counts(void)
{
    static struct gpu_result r;
    struct chunk chunk = {.n = 9, .first = FIRST};
    union state got;
    cuda_read_state(MONOID_count, DTYPE_f32, &got, &r, &chunk, NULL);
    CHECK_U64(got.count.first_nan, INDEX_NONE);
    r.count = (struct gpu_count){2, 3, 5, ~4ull};
    cuda_read_state(MONOID_count, DTYPE_f32, &got, &r, &chunk, NULL);
    CHECK(got.count.nan == 2 && got.count.inf == 3 && got.count.nonzero == 5);
    CHECK_U64(got.count.first_nan, FIRST + 4);
}

/* Each partial sum of a monoid adds one to the state. */
static void test_sums(void)
{
    static const struct {
        enum dtype dtype;
        enum monoid monoid;
    } rows[] = {{DTYPE_i8, MONOID_sum},     {DTYPE_f16, MONOID_sum},
                {DTYPE_f32, MONOID_sumsq},  {DTYPE_f64, MONOID_sum},
                {DTYPE_f64, MONOID_sumabs}, {DTYPE_f64, MONOID_sumsq}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static struct gpu_result zero;
        struct gpu_result r = zero;
        struct gpu_sum *sum = &r.sum[monoids[rows[i].monoid].map];
        struct chunk chunk = {.n = 7};
        union state got;
        monoids[rows[i].monoid].init(&got, rows[i].dtype);
        size_t limbs = 2 * (size_t)got.exact.words;
        size_t sums = GPU_SUMS(limbs), stride = GPU_SUM_STRIDE(limbs);
        CHECK(sums >= 2 && stride > limbs && sums * stride <= GPU_LIMBS);
        for (size_t k = 0; k < sums; k++)
            sum->limb[k * stride + 1] = 1;
        sum->limb[(sums - 1) * stride + limbs] = 1;
        cuda_read_state(rows[i].monoid, rows[i].dtype, &got, &r, &chunk, NULL);
        CHECK_U64(got.exact.word[0], (uint64_t)sums << 32);
        CHECK(got.exact.not_negative_zero);
    }
}

int main(void)
{
    test_extremes();
    test_no_number();
    test_products();
    test_counts();
    test_sums();
    return check_end();
}
