/* SPDX-License-Identifier: MIT */
/*
 * bench_distinct [--mib N] [--rows LIST] [--dtype NAME]
 *
 * Distinct values of data in GPU memory, beside reading alone and CUB's radix
 * sort with a count of the different values, in the same run. The answers are
 * compared with CUB's; exit status 1: they differ. LIST: distinct, estimate;
 * both if not given. Medians of 7 runs after 2, with all work of a call:
 * clearing the set, adding, counting.
 */
#include <stdio.h>

#include "bench_device.h"
#include "kernels/distinct/distinct.h"

struct distinct {
    struct gpu_set set;
    uint64_t n;
};

static void run_distinct(struct bench *b, void *more)
{
    struct distinct *d = more;
    bool has_nan;
    bench_check(gpu_set_clear(&d->set, b->stream), "clear");
    bench_check(gpu_set_reserve(&d->set, b->n), "reserve");
    bench_check(gpu_set_add(&d->set, b->data, b->n, b->stream), "add");
    bench_check(gpu_set_count(&d->set, &d->n, &has_nan), "count");
}

static void compare_distinct(struct bench *b, uint64_t n)
{
    uint64_t want;
    bench_check(
        cudaMemcpy(&want, b->count, sizeof want, cudaMemcpyDeviceToHost),
        "copy");
    if (want == n)
        return;
    printf(" WRONG: %llu, not %llu", (unsigned long long)n,
           (unsigned long long)want);
    b->wrong++;
}

/* The set's memory is allocated before the time is taken. */
static void bench_distinct(struct bench *b)
{
    struct distinct d = {.n = 0};
    bench_check(gpu_set_open(&d.set, b->dtype, b->stream), "open");
    bench_check(gpu_set_reserve(&d.set, b->n), "reserve");
    const double seconds = bench_time(b, run_distinct, &d);
    const double peer = bench_time_peer(b, b->count);
    bench_row(b, "distinct", seconds);
    printf(" %llu; CUB sort and count %.0f GB/s, x %.2f",
           (unsigned long long)d.n,
           peer > 0 ? 1e-9 * (double)b->n * dtype_size(b->dtype) / peer : 0,
           peer / seconds);
    if (peer > 0)
        compare_distinct(b, d.n);
    printf(" |\n");
    fflush(stdout);
    gpu_set_close(&d.set);
}

struct estimate {
    struct gpu_set set; /* of 8 and 16 bits */
    uint64_t *key;
    uint8_t *registers; /* [SKETCH_REGISTERS] */
};

/* Lists the keys of the set and computes the registers from them. */
static void run_narrow(struct bench *b, void *more)
{
    struct estimate *e = more;
    size_t n;
    bench_check(gpu_set_clear(&e->set, b->stream), "clear");
    bench_check(gpu_set_add(&e->set, b->data, b->n, b->stream), "add");
    bench_check(gpu_set_list(&e->set, e->key, &n), "list");
    for (size_t i = 0; i < n; i++) {
        const uint64_t hash = hash_value(e->key[i]);
        uint8_t *at = e->registers + sketch_register(hash);
        const uint32_t value = sketch_value(hash);
        *at = (uint8_t)(*at > value ? *at : value);
    }
}

static void run_estimate(struct bench *b, void *more)
{
    (void)more;
    bench_check(gpu_estimate_add(b->dtype, b->data, b->n, (uint32_t *)b->count,
                                 b->stream),
                "estimate");
}

static void bench_estimate(struct bench *b)
{
    static uint64_t key[NARROW_KEYS];
    static uint8_t registers[SKETCH_REGISTERS];
    struct estimate e = {.key = key, .registers = registers};
    const bool is_narrow = dtype_size(b->dtype) < 4;
    bench_check(cudaMemset(b->count, 0, ESTIMATE_WORDS * sizeof(uint32_t)),
                "clear");
    if (is_narrow)
        bench_check(gpu_set_open(&e.set, b->dtype, b->stream), "open");
    bench_row(b, "estimate",
              bench_time(b, is_narrow ? run_narrow : run_estimate, &e));
    printf(" |\n");
    fflush(stdout);
    gpu_set_close(&e.set);
}

static const struct {
    enum dtype dtype;
    enum bench_data kind;
    size_t bytes; /* 0: as many as there are */
} rows[] = {
    {DTYPE_u8, DATA_UNIFORM, 0},
    {DTYPE_u8, DATA_FEW, 0},
    {DTYPE_u16, DATA_UNIFORM, 0},
    {DTYPE_u16, DATA_FEW, 0},
    {DTYPE_f16, DATA_UNIFORM, 0},
    {DTYPE_f32, DATA_DISTINCT, 0},
    {DTYPE_f32, DATA_UNIFORM, 0},
    {DTYPE_f32, DATA_MILLION, 0},
    {DTYPE_f32, DATA_FEW, 0},
    {DTYPE_f32, DATA_CONSTANT, 0},
    {DTYPE_i32, DATA_UNIFORM, 0},
    {DTYPE_i32, DATA_SORTED, 0},
    {DTYPE_i64, DATA_DISTINCT, 800000000},
    {DTYPE_i64, DATA_MILLION, 800000000},
    {DTYPE_i64, DATA_FEW, 800000000},
    {DTYPE_i64, DATA_SORTED, 800000000},
    {DTYPE_f64, DATA_DISTINCT, 800000000},
    {DTYPE_f64, DATA_UNIFORM, 800000000},
};

int main(int argc, char **argv)
{
    struct bench b;
    bench_open(&b, argc, argv);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const enum dtype dtype = rows[i].dtype;
        if (b.only && !bench_wants(&b, "", dtype))
            continue;
        bench_fill(&b, dtype, rows[i].kind, rows[i].bytes);
        if (bench_wants(&b, "distinct", dtype))
            bench_distinct(&b);
        if (bench_wants(&b, "estimate", dtype))
            bench_estimate(&b);
    }
    printf("\n%u answers wrong\n", b.wrong);
    return b.wrong > 0;
}
