/* SPDX-License-Identifier: MIT */
#include "bench_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

enum { SKIP = 77, RUNS = 7, WARM = 2 };

const char *bench_data_name(enum bench_data kind)
{
    static const char *const names[DATA_END] = {
        "uniform",      "normal", "constant",     "two values",
        "few distinct", "sorted", "all distinct", "10^6 distinct"};
    return names[kind];
}

void bench_check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

bool bench_wants(const struct bench *b, const char *rows, enum dtype dtype)
{
    return (!b->rows || strstr(b->rows, rows)) &&
           (!b->only || strcmp(b->only, dtype_info(dtype)->name) == 0);
}

void bench_fill(struct bench *b, enum dtype dtype, enum bench_data kind,
                size_t bytes)
{
    b->dtype = dtype;
    b->kind = kind;
    b->n = (bytes && bytes < b->bytes ? bytes : b->bytes) / dtype_size(dtype);
    bench_draw(b);
    bench_check(cudaStreamSynchronize(b->stream), "data");
}

double bench_time(struct bench *b, bench_work *work, void *more)
{
    double figures[RUNS];
    for (int r = -WARM; r < RUNS; r++) {
        const double start = seconds();
        work(b, more);
        bench_check(cudaStreamSynchronize(b->stream), "run");
        if (r >= 0)
            figures[r] = seconds() - start;
    }
    return median(figures, RUNS);
}

static void run_sort(struct bench *b, void *distinct)
{
    bench_check(bench_peer(b->dtype, b->data, b->n, b->sorted, distinct,
                           b->temporary, &b->temporary_bytes, b->stream),
                "CUB");
}

double bench_time_peer(struct bench *b, uint64_t *distinct)
{
    b->temporary_bytes = 0;
    if (bench_peer(b->dtype, b->data, b->n, b->sorted, distinct, NULL,
                   &b->temporary_bytes, b->stream) != cudaSuccess)
        return 0;
    bench_check(cudaMalloc(&b->temporary, b->temporary_bytes), "memory of CUB");
    const double time = bench_time(b, run_sort, distinct);
    cudaFree(b->temporary);
    return time;
}

void bench_row(const struct bench *b, const char *what, double time)
{
    const double rate = (double)b->n * dtype_size(b->dtype) / time;
    printf("| %s | %s | %s | %.0f | %.3f | %.3f |", dtype_info(b->dtype)->name,
           bench_data_name(b->kind), what, 1e-9 * rate, rate / b->roof,
           1e3 * time);
}

static void run_read(struct bench *b, void *more)
{
    (void)more;
    bench_check(bench_read(b->data, b->bytes, (unsigned *)b->count, b->stream),
                "read");
}

static void read_options(struct bench *b, int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (strcmp(name, "--mib") == 0)
            b->bytes = (size_t)atoi(value) << 20;
        else if (strcmp(name, "--rows") == 0)
            b->rows = value;
        else if (strcmp(name, "--dtype") == 0)
            b->only = value;
        else
            fprintf(stderr, "%s is no option\n", name);
    }
}

void bench_open(struct bench *b, int argc, char **argv)
{
    int devices = 0;
    *b = (struct bench){.bytes = (size_t)1 << 30};
    read_options(b, argc, argv);
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: no GPU\n");
        exit(SKIP);
    }
    bench_check(cudaMalloc((void **)&b->data, b->bytes), "memory");
    bench_check(cudaMalloc(&b->sorted, b->bytes), "memory");
    bench_check(cudaMalloc((void **)&b->count, BENCH_COUNTERS * 8), "memory");
    bench_check(cudaMemset(b->count, 0, BENCH_COUNTERS * 8), "memory");
    bench_check(cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking),
                "stream");
    bench_fill(b, DTYPE_u32, DATA_UNIFORM, 0);
    b->roof = (double)b->bytes / bench_time(b, run_read, NULL);
    printf("%zu MiB resident, only reading: %.0f GB/s\n\n", b->bytes >> 20,
           1e-9 * b->roof);
    printf("| type | data | what | GB/s | of reading | ms | |\n"
           "| --- | --- | --- | --- | --- | --- | --- |\n");
}
