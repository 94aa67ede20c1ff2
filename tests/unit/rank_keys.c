/* SPDX-License-Identifier: MIT */
/* Keys that order elements, bins of ranges of keys, and the search by brackets,
 * without a device: of all dtypes, against values and plain counting. */
#include <math.h>

#include "check.h"
#include "kernels/rank/ranges.h"
#include "kernels/rank/target.h"

static uint64_t mask_of(enum dtype dtype)
{
    return ~0ull >> (64 - 8 * dtype_size(dtype));
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* By value; -0 before 0. Not NaN. */
static int order_of_values(enum dtype dtype, uint64_t a, uint64_t b)
{
    if (dtype_is_float(dtype)) {
        const double x = dtype_to_double(dtype, a),
                     y = dtype_to_double(dtype, b);
        if (x == y)
            return (signbit(y) != 0) - (signbit(x) != 0);
        return x < y ? -1 : 1;
    }
    if (!dtype_is_signed(dtype))
        return order(a, b);
    const unsigned shift = 64 - 8 * dtype_size(dtype);
    const int64_t x = (int64_t)(a << shift), y = (int64_t)(b << shift);
    return (x > y) - (x < y);
}

static bool is_nan(enum dtype dtype, uint64_t bits)
{
    return dtype_is_float(dtype) && isnan(dtype_to_double(dtype, bits));
}

static void check_pair(enum dtype dtype, uint64_t a, uint64_t b)
{
    const struct key_order o = key_order(dtype);
    const uint64_t mask = mask_of(dtype), x = key_of(&o, a), y = key_of(&o, b);
    CHECK_U64(key_undo(&o, x), a);
    CHECK_INT(((x - o.least) & mask) > o.span, is_nan(dtype, a));
    if (!is_nan(dtype, a) && !is_nan(dtype, b))
        CHECK_INT(order(x, y), order_of_values(dtype, a, b));
}

static void test_keys(enum dtype dtype)
{
    const uint64_t mask = mask_of(dtype);
    for (int i = 0; i < 20000; i++) {
        const uint64_t a = check_random() & mask;
        const uint64_t b =
            check_below(2) ? check_random() : a + check_below(3) - 1;
        check_pair(dtype, a, b & mask);
    }
    for (uint64_t a = 0; dtype_size(dtype) <= 2 && a <= mask; a++)
        check_pair(dtype, a, (a + 1) & mask);
}

/* A range and its counts: the bin by division, the rank by subtraction. */
static void test_bins(void)
{
    struct gpu_ranges r = {.n = 0};
    uint64_t count[300], sum = 0;
    const uint64_t span = check_random_length();
    const unsigned bits = 1 + (unsigned)check_below(8);
    CHECK(gpu_ranges_add(&r, check_random(), span, bits));
    const uint64_t width = (uint64_t)1 << r.at[0].shift;
    CHECK_U64(r.bins, span / width + 1);
    CHECK(r.bins <= 1u << bits);
    CHECK(r.bins > 1u << bits >> 1 || r.at[0].shift == 0, "bins %u", r.bins);
    for (unsigned i = 0; i < r.bins; i++)
        sum += count[i] = check_below(3);
    const uint64_t rank = check_below(sum + 2);
    uint64_t left = rank, below = 0;
    const uint64_t bin = gpu_range_bin(&r.at[0], count, &left);
    CHECK_INT(bin == r.bins, rank >= sum);
    for (uint64_t i = 0; i < bin; i++)
        below += count[i];
    CHECK_U64(left, rank - below);
    if (bin < r.bins) {
        struct gpu_range in = r.at[0];
        CHECK(left < count[bin]);
        gpu_range_enter(&in, bin);
        CHECK_U64(in.low - r.at[0].low, bin * width);
        CHECK_U64(in.span, bin + 1 < r.bins ? width - 1 : span - bin * width);
    }
}

static void test_room_for_ranges(void)
{
    struct gpu_ranges r = {.n = 0};
    unsigned bins = 0;
    while (gpu_ranges_add(&r, 0, UINT64_MAX, 11)) {
        CHECK_U64(r.at[r.n - 1].first, bins);
        CHECK_INT(r.at[r.n - 1].shift, 53);
        bins += 2048;
    }
    CHECK_U64(r.bins, GPU_RANGE_BINS);
    for (r.n = r.bins = 0; gpu_ranges_add(&r, 0, 0, 11);)
        CHECK_U64(r.bins, r.n);
    CHECK_INT(r.n, GPU_RANGES);
}

static int by_key(const void *a, const void *b)
{
    return order(*(const uint64_t *)a, *(const uint64_t *)b);
}

enum { KEYS = 500 };

/* What the kernel does with a bracket: counts, and gathers in key[]. */
static void split(struct rank_target *t, uint64_t *key, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        t->less[0] += key[i] < t->low;
        t->less[1] += key[i] <= t->low;
        t->less[2] += key[i] <= t->high;
        if (key[i] > t->low && key[i] < t->high)
            key[kept++] = key[i];
    }
    t->gathered = kept;
}

/* Any brackets, of which some miss: then the search must fail, and else find
 * the keys that a sort has at the ranks. */
static void test_search(void)
{
    uint64_t key[KEYS], sorted[KEYS];
    const size_t n = 1 + check_below(KEYS);
    const uint64_t values = 1 + check_below(2 * KEYS);
    struct rank_target t = {.n = n, .rank = {check_below(n), 0}};
    for (size_t i = 0; i < n; i++)
        sorted[i] = key[i] = check_below(values);
    qsort(sorted, n, sizeof *sorted, by_key);
    t.rank[1] = t.rank[0] + (t.rank[0] + 1 < n ? check_below(2) : 0);
    const uint64_t want[2] = {sorted[t.rank[0]], sorted[t.rank[1]]};
    for (int pass = 0; pass < 40 && !rank_is_over(&t); pass++) {
        const uint64_t a = key[check_below(t.n)], b = key[check_below(t.n)];
        const uint64_t first = want[rank_first_open(&t)],
                       last = want[rank_last_open(&t)];
        const uint64_t low = a < b ? a : b, high = a < b ? b : a;
        rank_begin_pass(&t, low, high);
        split(&t, key, t.n);
        rank_settle(&t, KEYS);
        CHECK_INT(t.has_failed, first < low || last > high);
        for (int i = 0; i < 2 && !t.has_failed; i++) {
            if (t.known >> i & 1)
                CHECK_U64(t.key[i], want[i]);
            else
                CHECK(want[i] > low && want[i] < high);
        }
    }
}

static void test_full(void)
{
    struct rank_target t = {.n = 9, .rank = {4, 4}};
    rank_begin_pass(&t, 1, 9);
    t.less[0] = 1;
    t.less[1] = 2;
    t.less[2] = 8;
    t.gathered = 5;
    rank_settle(&t, 5);
    CHECK(!rank_is_over(&t));
    CHECK_U64(t.rank[0], 2);
    t.rank[0] = t.rank[1] = 4;
    rank_settle(&t, 4);
    CHECK(t.has_failed);
}

/* Every sample is of its own stratum, and ends of brackets are samples. */
static void test_samples(void)
{
    const uint64_t n =
        RANK_SAMPLES + check_random_length() % ((uint64_t)1 << 50);
    const struct rank_target t = {.n = n, .rank = {check_below(n), n - 1}};
    uint64_t before = 0;
    for (uint64_t i = 0; i < RANK_SAMPLES; i++) {
        const uint64_t at = rank_sample_of(i, n, check_random());
        CHECK(at < n && (i == 0 || at > before));
        before = at;
    }
    CHECK(rank_sample_at(&t, 0, -RANK_MARGIN) <=
          rank_sample_at(&t, 0, RANK_MARGIN));
    CHECK_INT(rank_sample_at(&t, 1, RANK_MARGIN), RANK_SAMPLES - 1);
    CHECK_INT(rank_sample_at(&t, 0, -RANK_SAMPLES), 0);
}

int main(void)
{
    for (int d = 0; d < DTYPES_END; d++)
        test_keys((enum dtype)d);
    for (int i = 0; i < 2000; i++) {
        test_bins();
        test_search();
    }
    for (int i = 0; i < 20; i++)
        test_samples();
    test_room_for_ranges();
    test_full();
    return check_end();
}
