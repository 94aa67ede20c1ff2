/* SPDX-License-Identifier: MIT */
/*
 * Compares the kernels that count and gather keys with plain loops on the host.
 *
 *   check_rank [--seed N] [--most N] [--dtype NAME]
 *
 * Tests every dtype with every kind of data, sizes near the kernels' boundaries
 * and one of a million, cut into chunks. --most: the most elements. Exit status
 * 77: there is no GPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/rank/rank.h"
#include "rank_data.h"
#include "reduce/ranks.h"

enum { SKIP = 77, SHOWN = 20 };

struct fixture {
    enum dtype dtype;
    enum rank_kind kind;
    size_t n;
    char *data; /* elements */
    void *on_device, *keys;
    uint64_t *count; /* [GPU_RANGE_BINS], on the device */
    struct random random;
};

static unsigned long cases, failures;

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    printf("FAILED: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static void verdict(const struct fixture *b, bool ok, const char *what,
                    uint64_t rank, uint64_t got, uint64_t want)
{
    cases++;
    if (ok || ++failures > SHOWN)
        return;
    printf("FAILED: %s of %zu %s, %s, rank %" PRIu64 ": 0x%" PRIx64
           ", not 0x%" PRIx64 "\n",
           what, b->n, dtype_info(b->dtype)->name, rank_kind_name(b->kind),
           rank, got, want);
}

/* The host's key of an element, which tests/unit/ranks.c tests. */
static uint64_t key_at(const struct fixture *b, size_t i)
{
    return rank_key(b->dtype,
                    dtype_load(b->dtype, b->data + i * dtype_size(b->dtype)));
}

/* Draws ranges around some elements; sometimes one range of all numbers. */
static void draw_ranges(struct fixture *b, struct gpu_ranges *r)
{
    const uint64_t least = rank_least_key(b->dtype);
    const uint64_t greatest = rank_greatest_key(b->dtype);
    const unsigned most = 1 + (unsigned)random_below(&b->random, GPU_RANGES);
    uint64_t from = least;
    r->n = r->bins = 0;
    if (random_below(&b->random, 3) == 0) {
        gpu_ranges_add(r, least, greatest - least, 11);
        return;
    }
    for (unsigned i = 0; i < most; i++) {
        const uint64_t left = greatest - from;
        const uint64_t skip = random_below(&b->random, left / 8 + 1);
        const uint64_t span = random_below(&b->random, left / 8 + 1);
        gpu_ranges_add(r, from + skip, span, 1 + (i * 3) % 8);
        if (left - skip <= span + 1)
            return;
        from += skip + span + 1;
    }
}

/* Chunks begin at multiples of 16 bytes. */
static size_t chunk_of(struct fixture *b, int cut)
{
    const size_t lanes = 16 / dtype_size(b->dtype);
    return cut == 0
               ? (b->n ? b->n : 1)
               : lanes * (1 + random_below(&b->random, b->n / lanes / 3 + 3));
}

static void check_count(struct fixture *b, const struct gpu_ranges *r,
                        size_t chunk)
{
    uint64_t *got = malloc(r->bins * sizeof *got);
    uint64_t *want = calloc(r->bins, sizeof *want);
    const size_t size = dtype_size(b->dtype), bytes = r->bins * sizeof *got;
    check(cudaMemset(b->count, 0, bytes), "clear");
    for (size_t i = 0; i < b->n; i += chunk)
        check(gpu_rank_count(b->dtype, (char *)b->on_device + i * size,
                             b->n - i < chunk ? b->n - i : chunk, r, b->count,
                             NULL),
              "count");
    check(cudaMemcpy(got, b->count, bytes, cudaMemcpyDeviceToHost), "copy");
    for (size_t i = 0; i < b->n; i++) {
        const uint64_t key = key_at(b, i);
        for (unsigned k = 0; k < r->n; k++) {
            if (key >= r->at[k].low && key - r->at[k].low <= r->at[k].span)
                want[r->at[k].first +
                     ((key - r->at[k].low) >> r->at[k].shift)]++;
        }
    }
    for (unsigned i = 0; i < r->bins; i++)
        verdict(b, got[i] == want[i], "count", i, got[i], want[i]);
    free(got);
    free(want);
}

/* The number of keys and the sum of their hashes, since any order is right. */
static void check_gather(struct fixture *b, const struct gpu_ranges *r,
                         size_t chunk, uint64_t room)
{
    const size_t size = dtype_size(b->dtype);
    uint64_t n = 0, sum = 0, used = 0, got = 0;
    char *keys = calloc(b->n + 1, size);
    check(cudaMemset(b->count, 0, sizeof *b->count), "clear");
    for (size_t i = 0; i < b->n; i += chunk)
        check(gpu_rank_gather(b->dtype, (char *)b->on_device + i * size,
                              b->n - i < chunk ? b->n - i : chunk, r, b->keys,
                              room, b->count, NULL),
              "gather");
    check(cudaMemcpy(&used, b->count, sizeof used, cudaMemcpyDeviceToHost),
          "copy");
    for (size_t i = 0; i < b->n; i++) {
        const uint64_t key = key_at(b, i);
        bool in = false;
        for (unsigned k = 0; k < r->n; k++)
            in |= key >= r->at[k].low && key - r->at[k].low <= r->at[k].span;
        n += in;
        sum += in ? random_hash(key, 1) : 0;
    }
    verdict(b, used == n, "number gathered", 0, used, n);
    if (used == n && n <= room) {
        check(cudaMemcpy(keys, b->keys, n * size, cudaMemcpyDeviceToHost),
              "copy");
        for (size_t i = 0; i < n; i++) {
            uint64_t key = 0;
            memcpy(&key, keys + i * size, size);
            got += random_hash(key, 1);
        }
        verdict(b, got == sum, "gather", 0, got, sum);
    }
    free(keys);
}

static void check_fixture(struct fixture *b)
{
    const size_t size = dtype_size(b->dtype);
    rank_draw(&b->random, b->dtype, b->kind, b->data, b->n);
    check(
        cudaMemcpy(b->on_device, b->data, b->n * size, cudaMemcpyHostToDevice),
        "copy");
    for (int cut = 0; cut < 2; cut++) {
        struct gpu_ranges r;
        const size_t chunk = chunk_of(b, cut);
        draw_ranges(b, &r);
        check_count(b, &r, chunk);
        check_gather(b, &r, chunk, cut ? b->n / 4 : b->n);
    }
}

static void check_dtype(struct fixture *b, size_t most)
{
    static const size_t sizes[] = {0,    1,    2,     31,
                                   4095, 4097, 70001, (1 << 20) + 3};
    for (int kind = 0; kind < RANK_KINDS; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            b->kind = (enum rank_kind)kind;
            b->n = sizes[i];
            if (b->n <= most)
                check_fixture(b);
        }
    }
}

static void run(uint64_t seed, size_t most, const char *only)
{
    const size_t bytes = 8 * (((size_t)1 << 20) + 64);
    struct fixture b = {.random = {seed}};
    b.data = malloc(bytes);
    check(cudaMalloc(&b.on_device, bytes), "memory");
    check(cudaMalloc(&b.keys, bytes), "memory");
    check(cudaMalloc((void **)&b.count, GPU_RANGE_BINS * 8), "memory");
    for (int d = 0; d < DTYPES_END; d++) {
        b.dtype = (enum dtype)d;
        if (!only || strcmp(only, dtype_info(b.dtype)->name) == 0)
            check_dtype(&b, most);
    }
    free(b.data);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    size_t most = SIZE_MAX;
    const char *only = NULL;
    int devices = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        if (strcmp(argv[i], "--most") == 0)
            most = strtoull(argv[i + 1], NULL, 0);
        if (strcmp(argv[i], "--dtype") == 0)
            only = argv[i + 1];
    }
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: no GPU\n");
        return SKIP;
    }
    run(seed, most, only);
    printf("%lu values compared, %lu wrong, seed %" PRIu64 "\n", cases,
           failures, seed);
    return failures > 0 || cases == 0;
}
