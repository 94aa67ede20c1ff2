/* SPDX-License-Identifier: MIT */
/* How ranges of keys are cut into bins, without a device. */
#include "check.h"
#include "kernels/rank/ranges.h"

/* A range is cut into at most 2^bits bins of 2^shift keys each; the last one
 * may have fewer. Unless each bin has one key, there are more than half of
 * 2^bits bins. */
static void test_bins(void)
{
    struct gpu_ranges r = {.n = 0};
    const uint64_t span = check_random_length();
    const unsigned bits = 1 + (unsigned)check_below(8);
    CHECK(gpu_ranges_add(&r, check_random(), span, bits));
    const uint64_t width = (uint64_t)1 << r.at[0].shift;
    CHECK_U64(r.bins, span / width + 1);
    CHECK(r.bins <= 1u << bits);
    CHECK(r.bins > 1u << bits >> 1 || r.at[0].shift == 0, "bins %u", r.bins);
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

int main(void)
{
    for (int i = 0; i < 2000; i++)
        test_bins();
    test_room_for_ranges();
    return check_end();
}
