/* SPDX-License-Identifier: MIT */
/*
 * bench_rank [--mib N] [--rows LIST] [--dtype NAME] [--margin N] [--copies N]
 *            [--bits N] [--blocks N]
 *
 * Medians of data that are on the device, beside only reading them and CUB's
 * radix sort in the same run, with whose answer they are compared: the exit
 * status is 1 where they differ. LIST: median, passes; both if none is named.
 * Medians of 7 runs after 2, with all work of a call, launches and waiting.
 */
#include <stdio.h>

#include "bench_device.h"
#include "kernels/rank/rank.h"

struct selection {
    struct gpu_rank_way way;
    uint64_t rank[2], bits[2];
};

static void run_select(struct bench *b, void *more)
{
    struct selection *s = more;
    bench_check(gpu_rank_select(b->dtype, b->data, b->n, s->rank, s->bits,
                                b->room, &s->way, b->stream),
                "select");
}

/* CUB has sorted the bits as unsigned integers: of floats first those that are
 * not negative, of signed integers too; the data have no NaN. */
static uint64_t sorted_at(const struct bench *b, uint64_t rank,
                          uint64_t negatives)
{
    const size_t size = dtype_size(b->dtype);
    const bool is_float = dtype_is_float(b->dtype);
    uint64_t bits = 0, at = rank - negatives;
    if (rank < negatives)
        at = is_float ? b->n - 1 - rank : b->n - negatives + rank;
    bench_check(cudaMemcpy(&bits, (char *)b->sorted + at * size, size,
                           cudaMemcpyDeviceToHost),
                "copy");
    return bits;
}

/* By bisection of what CUB has sorted. */
static uint64_t negatives_of(const struct bench *b)
{
    const unsigned shift = 8 * dtype_size(b->dtype) - 1;
    uint64_t low = 0, high = b->n;
    if (!dtype_is_float(b->dtype) && !dtype_is_signed(b->dtype))
        return 0;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (sorted_at(b, middle, 0) >> shift)
            high = middle;
        else
            low = middle + 1;
    }
    return b->n - low;
}

static void compare_selection(struct bench *b, const struct selection *s)
{
    const uint64_t negatives = negatives_of(b);
    for (int i = 0; i < 2; i++) {
        const uint64_t want = sorted_at(b, s->rank[i], negatives);
        if (s->bits[i] == want)
            continue;
        printf(" WRONG: 0x%llx, not 0x%llx", (unsigned long long)s->bits[i],
               (unsigned long long)want);
        b->wrong++;
    }
}

static struct selection selection_of(const struct bench *b, bool by_counting,
                                     unsigned bits)
{
    struct selection s = {.way = {.by_counting = by_counting, .bits = bits},
                          .rank = {(b->n - 1) / 2, b->n / 2}};
    s.way.tuning.copies = b->copies;
    s.way.tuning.blocks = b->blocks;
    s.way.tuning.margin = b->margin;
    return s;
}

static void bench_median(struct bench *b)
{
    const double peer = bench_time_peer(b, NULL);
    for (unsigned bits = 10; bits <= 12; bits++) {
        struct selection s = selection_of(b, bits > 10, bits);
        char what[40];
        if (bits > 10 && b->bits && bits != b->bits)
            continue;
        const double seconds = bench_time(b, run_select, &s);
        snprintf(what, sizeof what,
                 bits > 10 ? "median, counting %u bits" : "median, brackets",
                 bits);
        bench_row(b, what, seconds);
        printf(" passes %u; CUB sort %.0f GB/s, x %.2f", s.way.passes,
               peer > 0 ? 1e-9 * (double)b->n * dtype_size(b->dtype) / peer : 0,
               peer / seconds);
        if (peer > 0)
            compare_selection(b, &s);
        printf(" |\n");
        fflush(stdout);
    }
}

struct pass {
    struct gpu_ranges ranges;
    struct gpu_rank_tuning tuning;
};

static void run_count(struct bench *b, void *more)
{
    struct pass *p = more;
    bench_check(gpu_rank_count(b->dtype, b->data, b->n, &p->ranges, b->count,
                               &p->tuning, b->stream),
                "count");
}

/* One pass that counts, by its bins and counters. */
static void bench_passes(struct bench *b)
{
    const struct key_order order = key_order(b->dtype);
    for (unsigned bits = 11; bits <= 13; bits++) {
        for (int copies = 1; copies <= 8; copies *= 2) {
            struct pass p = {.tuning = {copies, b->blocks, 0}};
            char what[40];
            if ((b->bits && bits != b->bits) || copies << bits > 12288 ||
                (b->copies && b->copies != copies))
                continue;
            gpu_ranges_add(&p.ranges, order.least, order.span, bits);
            snprintf(what, sizeof what, "count, %u bits, %d counters", bits,
                     copies);
            bench_row(b, what, bench_time(b, run_count, &p));
            printf(" |\n");
        }
    }
    fflush(stdout);
}

static const enum bench_data kinds[] = {
    DATA_UNIFORM, DATA_NORMAL, DATA_CONSTANT, DATA_TWO, DATA_FEW, DATA_SORTED};

enum { KINDS = sizeof kinds / sizeof *kinds };

int main(int argc, char **argv)
{
    struct bench b;
    /* Keys of a search take a sixth of the data, and counters. */
    bench_open(&b, argc, argv, 0.25);
    for (int d = 0; d < DTYPES_END; d++) {
        const enum dtype dtype = (enum dtype)d;
        for (int k = 0; k < KINDS; k++) {
            const bool is_main = dtype == DTYPE_f32 || dtype == DTYPE_f64;
            if (!is_main && k > 0 && !b.only)
                continue;
            if (bench_wants(&b, "median", dtype) ||
                bench_wants(&b, "passes", dtype))
                bench_fill(&b, dtype, kinds[k], 0);
            if (bench_wants(&b, "median", dtype))
                bench_median(&b);
            if (bench_wants(&b, "passes", dtype) && (is_main || b.only))
                bench_passes(&b);
        }
    }
    printf("\n%u answers wrong\n", b.wrong);
    return b.wrong > 0;
}
