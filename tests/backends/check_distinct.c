/* SPDX-License-Identifier: MIT */
/*
 * Compares sets and estimates of distinct values on the device with a sort on
 * the host.
 *
 *   check_distinct [--seed N] [--most N] [--dtype NAME]
 *
 * Tests every dtype with every kind of data, sizes near the kernels' boundaries
 * and one of a million, cut into chunks on several streams. Compares counts and
 * all keys. Exit status 77: there is no GPU.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/distinct/distinct.h"
#include "rank_data.h"

enum { SKIP = 77, SHOWN = 20, STREAMS = 3 };

struct fixture {
    enum dtype dtype;
    enum rank_kind kind;
    size_t n, distinct; /* elements; keys in want[] */
    bool has_nan;
    char *data;
    uint64_t *want; /* sorted keys, each once */
    uint64_t *got;
    void *on_device;
    uint32_t *registers;
    cudaStream_t stream[STREAMS];
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
                    uint64_t got, uint64_t want)
{
    cases++;
    if (ok || ++failures > SHOWN)
        return;
    printf("FAILED: %s of %zu %s, %s: %" PRIu64 ", not %" PRIu64 "\n", what,
           b->n, dtype_info(b->dtype)->name, rank_kind_name(b->kind), got,
           want);
}

static int by_key(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The key of an element: both zeros have the bits of 0, all NaN those of the
 * type's own conversion. */
static uint64_t plain_key(enum dtype dtype, const char *p)
{
    const uint64_t mask = ~0ull >> (64 - 8 * dtype_size(dtype));
    const uint64_t bits = dtype_load(dtype, p) & mask;
    if (!dtype_is_float(dtype))
        return bits;
    const double x = dtype_to_double(dtype, bits);
    if (x == 0)
        return 0;
    return x != x ? dtype_from_double(dtype, (double)__builtin_nanf("")) & mask
                  : bits;
}

static void make_want(struct fixture *b)
{
    const size_t size = dtype_size(b->dtype);
    uint64_t nan = 0;
    b->distinct = 0;
    b->has_nan = false;
    for (size_t i = 0; i < b->n; i++) {
        b->want[i] = plain_key(b->dtype, b->data + i * size);
        nan = dtype_load(b->dtype, b->data + i * size);
        b->has_nan |= rank_is_nan(b->dtype, nan);
    }
    qsort(b->want, b->n, sizeof *b->want, by_key);
    for (size_t i = 0; i < b->n; i++) {
        if (i == 0 || b->want[i] != b->want[i - 1])
            b->want[b->distinct++] = b->want[i];
    }
}

static void compare(struct fixture *b, struct gpu_set *s, const char *what)
{
    uint64_t n;
    size_t listed;
    bool has_nan;
    check(gpu_set_count(s, &n, &has_nan), what);
    verdict(b, n == b->distinct, what, n, b->distinct);
    verdict(b, has_nan == b->has_nan, "NaN", has_nan, b->has_nan);
    if (dtype_size(b->dtype) > 2)
        return;
    check(gpu_set_list(s, b->got, &listed), "list");
    verdict(b,
            listed == b->distinct &&
                memcmp(b->got, b->want, listed * sizeof *b->got) == 0,
            "keys", listed, b->distinct);
}

/* Adds chunks that start at multiples of 16 bytes, on the streams in turn. */
static void add_chunks(struct fixture *b, struct gpu_set *s, size_t chunk)
{
    const size_t size = dtype_size(b->dtype);
    int turn = 0;
    for (size_t i = 0; i < b->n; i += chunk) {
        const size_t n = b->n - i < chunk ? b->n - i : chunk;
        check(gpu_set_reserve(s, n), "reserve");
        check(gpu_set_add(s, (char *)b->on_device + i * size, n,
                          b->stream[turn++ % STREAMS]),
              "add");
    }
    check(cudaDeviceSynchronize(), "add");
}

static void check_chunks(struct fixture *b, size_t chunk, size_t many)
{
    struct gpu_set s;
    check(gpu_set_open(&s, b->dtype, NULL), "open");
    s.many = many;
    add_chunks(b, &s, chunk);
    compare(b, &s, "distinct");
    /* Adding the same chunks again adds no keys. */
    if (chunk < b->n) {
        add_chunks(b, &s, b->n);
        compare(b, &s, "distinct, twice");
    }
    gpu_set_close(&s);
}

/* Computes the registers plainly: the place of the first 1 after the upper 14
 * bits. NaN is in no register; for its word only "is it 0" is compared. */
static void check_estimate(struct fixture *b, size_t chunk)
{
    static uint32_t want[ESTIMATE_WORDS], got[ESTIMATE_WORDS];
    const size_t size = dtype_size(b->dtype);
    memset(want, 0, sizeof want);
    for (size_t i = 0; i < b->distinct; i++) {
        const uint64_t hash = hash_value(b->want[i]);
        uint32_t value = 1;
        if (rank_is_nan(b->dtype, b->want[i]))
            continue;
        while (value <= 50 && !(hash << 13 << value >> 63))
            value++;
        if (want[hash >> 50] < value)
            want[hash >> 50] = value;
    }
    check(cudaMemset(b->registers, 0, sizeof got), "clear");
    for (size_t i = 0; i < b->n; i += chunk)
        check(gpu_estimate_add(b->dtype, (char *)b->on_device + i * size,
                               b->n - i < chunk ? b->n - i : chunk,
                               b->registers, NULL),
              "estimate");
    check(cudaMemcpy(got, b->registers, sizeof got, cudaMemcpyDeviceToHost),
          "estimate");
    want[ESTIMATE_NAN] = b->has_nan;
    got[ESTIMATE_NAN] = got[ESTIMATE_NAN] > 0;
    for (int i = 0; i < ESTIMATE_WORDS; i++)
        verdict(b, got[i] == want[i], "register", got[i], want[i]);
}

static void check_bed(struct fixture *b)
{
    const size_t size = dtype_size(b->dtype), lanes = 16 / size;
    const size_t all = b->n ? b->n : 1;
    const size_t chunk =
        lanes * (1 + random_below(&b->random, all / lanes + 1));
    rank_draw(&b->random, b->dtype, b->kind, b->data, b->n);
    make_want(b);
    check(
        cudaMemcpy(b->on_device, b->data, b->n * size, cudaMemcpyHostToDevice),
        "copy");
    const size_t parts =
        b->n > 4096 ? chunk / 4 / lanes * lanes + lanes : chunk;
    check_chunks(b, parts, SIZE_MAX);
    if (size >= 4)
        check_chunks(b, parts, 256);
    if (size >= 4)
        check_estimate(b, chunk);
}

static void check_dtype(struct fixture *b, size_t most)
{
    static const size_t sizes[] = {0, 1, 2, 31, 4097, (1 << 20) + 3};
    for (int kind = 0; kind < RANK_KINDS; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            b->kind = (enum rank_kind)kind;
            b->n = sizes[i];
            if (b->n <= most)
                check_bed(b);
        }
    }
}

static void run(uint64_t seed, size_t most, const char *only)
{
    const size_t n = ((size_t)1 << 20) + 64, bytes = 8 * n;
    struct fixture b = {.random = {seed}};
    b.data = malloc(bytes);
    b.want = malloc(bytes);
    b.got = malloc(NARROW_KEYS * sizeof *b.got);
    check(cudaMalloc(&b.on_device, bytes), "memory");
    check(cudaMalloc((void **)&b.registers, ESTIMATE_WORDS * 4), "memory");
    for (int i = 0; i < STREAMS; i++)
        check(cudaStreamCreateWithFlags(&b.stream[i], cudaStreamNonBlocking),
              "stream");
    for (int d = 0; d < DTYPES_END; d++) {
        b.dtype = (enum dtype)d;
        if (!only || strcmp(only, dtype_info(b.dtype)->name) == 0)
            check_dtype(&b, most);
    }
    free(b.data);
    free(b.want);
    free(b.got);
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
