/* SPDX-License-Identifier: MIT */
/*
 * bench_loops [MIB [THREADS]]
 *
 * Times the CPU loops, every set, monoid and dtype, over data in memory, beside
 * a plain loop that only reads (the xor of everything). A size beyond the
 * caches shows what a run of the tool can reach; 1 MiB a thread shows the loops
 * alone.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "clock.h"
#include "reduce/cpu/accumulator.h"

enum { RUNS = 7, BLOCK = PROD_LEAF };

struct bench {
    const struct cpu_loops *loops; /* NULL: only read */
    enum monoid monoid;
    enum dtype dtype;
    const char *data;
    size_t bytes;
    int threads, repeats;
    bool fast;
    uint64_t sink[256];
};

static void only_read(struct bench *b, const char *p, size_t bytes, int i)
{
    uint64_t x[8] = {0};
    for (size_t k = 0; k + 64 <= bytes; k += 64) {
        uint64_t v[8];
        memcpy(v, p + k, sizeof v);
        for (int j = 0; j < 8; j++)
            x[j] ^= v[j];
    }
    for (int j = 0; j < 8; j++)
        b->sink[i] ^= x[j];
}

static void work_on(void *argument, int i)
{
    struct bench *b = argument;
    size_t part = b->bytes / (size_t)b->threads / 4096 * 4096;
    const char *p = b->data + (size_t)i * part;
    size_t size = dtype_info(b->dtype)->size;
    struct accumulator *w = malloc(sizeof *w);
    union state *out = malloc(sizeof *out);
    for (int r = 0; r < b->repeats; r++) {
        if (!b->loops) {
            only_read(b, p, part, i);
            continue;
        }
        accumulator_init(w, b->monoid, b->dtype);
        w->fast = b->fast;
        monoids[b->monoid].init(out, b->dtype);
        accumulator_begin(w, out);
        for (size_t at = 0; at < part; at += BLOCK * size) {
            size_t left = (part - at) / size;
            b->loops->run[b->monoid][b->dtype](
                w, p + at, left < BLOCK ? left : BLOCK, at / size);
        }
        accumulator_end(w);
        b->sink[i] += out->count.nonzero; /* keeps the work alive */
    }
    free(w);
    free(out);
}

static double rate(struct bench *b)
{
    double t[RUNS];
    team(b->threads, work_on, b);
    for (int r = 0; r < RUNS; r++) {
        double start = seconds();
        team(b->threads, work_on, b);
        t[r] = seconds() - start;
    }
    return 1e-9 * (double)b->bytes * b->repeats / median(t, RUNS);
}

static uint64_t next_random(uint64_t *x)
{
    *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
    return *x;
}

/* Fills data with floats uniform in [-1, 1) or integers of random bits.
 * hostile: exponents are uniform over 1200 binades (f64) or 200 (f32). */
static void fill(struct bench *b, char *data, bool hostile)
{
    size_t size = dtype_info(b->dtype)->size;
    uint64_t x = 88172645463325252ull;
    for (size_t i = 0; i < b->bytes / size; i++) {
        uint64_t bits = next_random(&x);
        double v = (double)(int64_t)bits * 0x1p-63;
        if (dtype_is_float(b->dtype))
            bits = dtype_from_double(b->dtype, v);
        if (hostile && b->dtype == DTYPE_f64)
            bits = (bits & 0x800fffffffffffff) | (400 + next_random(&x) % 1200)
                                                     << 52;
        else if (hostile)
            bits = (bits & 0x807fffff) | (20 + next_random(&x) % 200) << 23;
        memcpy(data + i * size, &bits, size);
    }
}

static void bench_dtype(struct bench *b, double bound, const char *label)
{
    const struct cpu_loops *loops;
    for (size_t s = 0; (loops = cpu_loops(s)); s++) {
        printf("| %-5s%-8s | %-6s |", dtype_info(b->dtype)->name, label,
               loops->name);
        for (int m = 0; m < MONOID_wide; m++) {
            b->loops = loops;
            b->monoid = (enum monoid)m;
            double r = rate(b);
            printf(" %6.2f %5.2f |", r, r / bound);
        }
        printf("\n");
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    struct bench b = {.threads = argc > 2 ? atoi(argv[2]) : 1};
    size_t mib = argc > 1 ? (size_t)atoi(argv[1]) : 1;
    b.bytes = mib << 20;
    b.repeats = mib < 64 ? (int)(64 / mib) : 1;
    char *data = aligned_alloc(4096, b.bytes);
    if (!data)
        return 1;
    b.data = data;
    memset(data, 1, b.bytes);
    double bound = rate(&b);
    printf("%zu MiB, %d threads, only reading: %.2f GB/s; GB/s and share\n\n",
           mib, b.threads, bound);
    printf("| dtype | set |");
    for (int m = 0; m < MONOID_wide; m++)
        printf(" %s |", monoids[m].name);
    printf("\n| --- | --- |");
    for (int m = 0; m < MONOID_wide; m++)
        printf(" --- |");
    printf("\n");
    for (int d = 0; d < DTYPES_END; d++) {
        b.dtype = (enum dtype)d;
        fill(&b, data, false);
        bench_dtype(&b, bound, "");
        if (d != DTYPE_f32 && d != DTYPE_f64)
            continue;
        b.fast = true;
        bench_dtype(&b, bound, " fast");
        b.fast = false;
        fill(&b, data, true);
        bench_dtype(&b, bound, " hostile");
    }
    free(data);
    return 0;
}
