/* SPDX-License-Identifier: MIT */
/*
 * bench_rank [--mib N] [--dtype NAME]
 *
 * Passes that count the keys of data in GPU memory, beside reading alone.
 * Medians of 7 runs after 2.
 */
#include <stdio.h>

#include "bench_device.h"
#include "kernels/rank/rank.h"
#include "reduce/ranks.h"

static void run_count(struct bench *b, void *more)
{
    const struct gpu_ranges *ranges = more;
    bench_check(
        gpu_rank_count(b->dtype, b->data, b->n, ranges, b->count, b->stream),
        "count");
}

/* Counts in one pass, with 2^11 to 2^13 bins. */
static void bench_passes(struct bench *b)
{
    const uint64_t least = rank_least_key(b->dtype);
    const uint64_t span = rank_greatest_key(b->dtype) - least;
    for (unsigned bits = 11; bits <= 13; bits++) {
        struct gpu_ranges ranges = {.n = 0};
        char what[40];
        gpu_ranges_add(&ranges, least, span, bits);
        snprintf(what, sizeof what, "count, %u bits", bits);
        bench_row(b, what, bench_time(b, run_count, &ranges));
        printf(" |\n");
    }
    fflush(stdout);
}

static const enum bench_data kinds[] = {
    DATA_UNIFORM, DATA_NORMAL, DATA_CONSTANT, DATA_TWO, DATA_FEW, DATA_SORTED};

enum { KINDS = sizeof kinds / sizeof *kinds };

int main(int argc, char **argv)
{
    struct bench b;
    bench_open(&b, argc, argv);
    for (int d = 0; d < DTYPES_END; d++) {
        const enum dtype dtype = (enum dtype)d;
        for (int k = 0; k < KINDS; k++) {
            const bool is_main = dtype == DTYPE_f32 || dtype == DTYPE_f64;
            if (!is_main && k > 0 && !b.only)
                continue;
            if (!bench_wants(&b, "", dtype))
                continue;
            bench_fill(&b, dtype, kinds[k], 0);
            bench_passes(&b);
        }
    }
    return 0;
}
