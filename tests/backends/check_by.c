/* SPDX-License-Identifier: MIT */
/*
 * Compares the kernels of results by key with plain loops on the host.
 *
 *   check_by [--seed N]
 *
 * Bins: every dtype, from one key to as many as fit, chunk by chunk. Keys: the
 * numbers of texts. Exit status 77: there is no GPU.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_data.h"

enum { SKIP = 77, SHOWN = 20, CHUNKS = 3, ROWS = 40000 };

static unsigned long cases, failures;

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    printf("FAILED: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static void *device(size_t bytes)
{
    void *at;
    check(cudaMalloc(&at, bytes), "memory");
    return at;
}

static void send(void *to, const void *from, size_t bytes)
{
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying");
}

static void fetch(void *to, const void *from, size_t bytes)
{
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying");
}

static void verdict(bool ok, const struct by_case *b, unsigned key,
                    const char *what)
{
    cases++;
    if (!ok && ++failures <= SHOWN)
        printf("FAILED: %s of key %u of %u, %s\n", what, key, b->keys,
               dtype_info(b->dtype)->name);
}

/* Combines a word of all bins of a key: returns the sum, or the least. */
static uint64_t word_of(const uint64_t *bins, size_t word, unsigned key,
                        bool is_least)
{
    uint64_t all = is_least ? UINT64_MAX : 0;
    for (unsigned i = 0; i < gpu_by_copies(key); i++) {
        const uint64_t x = bins[word * GPU_BY_BINS + gpu_by_bin(key, i)];
        all = !is_least ? all + x : x < all ? x : all;
    }
    return all;
}

/* Returns the first position of the least value in all bins of a key. */
static uint64_t place_of(const uint64_t *bins, size_t word, unsigned key,
                         uint64_t least)
{
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < gpu_by_copies(key); i++) {
        const uint64_t *at = &bins[word * GPU_BY_BINS + gpu_by_bin(key, i)];
        if (at[0] == least && at[2 * GPU_BY_BINS] < first)
            first = at[2 * GPU_BY_BINS];
    }
    return first;
}

static bool same_sum(const uint64_t *bins, size_t word, unsigned key,
                     const struct by_want *want)
{
    __int128 limb[GPU_BY_LIMBS];
    for (unsigned i = 0; i < GPU_BY_LIMBS; i++)
        limb[i] = (int64_t)word_of(bins, word + i, key, false);
    const __int128 radix = (__int128)1 << GPU_BY_LIMB;
    const __int128 low = limb[0] + limb[1] * radix;
    const __int128 high = limb[2] + limb[3] * radix;
    /* low + high * 2^64 on both sides. */
    return low - want->low == (want->high - high) * ((__int128)1 << 64);
}

static bool same_squares(const uint64_t *bins, size_t word, unsigned key,
                         const struct by_want *want)
{
    uint64_t got = 0, should = 0;
    bool same = true;
    for (unsigned i = 0; i < GPU_BY_SQUARE_LIMBS; i++) {
        got = (got >> 32) + word_of(bins, word + i, key, false);
        should = (should >> 32) + want->square[i];
        same &= (uint32_t)got == (uint32_t)should;
    }
    return same;
}

static void check_column(const struct by_case *b, const uint64_t *bins,
                         unsigned column, unsigned key)
{
    const struct gpu_by_places p = gpu_by_places(b->set);
    const size_t word = GPU_BY_ROW_WORDS + column * p.words;
    const struct by_want *want = &b->want[key * BY_COLUMNS + column];
    verdict(word_of(bins, word + p.absent, key, false) == want->absent, b, key,
            "rows without a value");
    verdict(word_of(bins, word + p.zeros, key, false) == want->zeros, b, key,
            "zeros");
    verdict(same_sum(bins, word + p.sum, key, want), b, key, "sum");
    if (b->set.squares)
        verdict(same_squares(bins, word + p.squares, key, want), b, key,
                "sum of squares");
    for (int greater = 0; greater < 2; greater++) {
        const struct by_extreme *e = &want->extreme[greater];
        const size_t at =
            word + p.extremes + (greater ? GPU_BY_MAX : GPU_BY_MIN);
        const uint64_t least = word_of(bins, at, key, true);
        const uint64_t bits = gpu_by_unkey(b->dtype, greater ? ~least : least);
        const uint64_t place = place_of(bins, at, key, least);
        verdict(place == e->position &&
                    (place == UINT64_MAX || bits == e->bits),
                b, key, greater ? "maximum" : "minimum");
    }
}

static void check_bins(const struct by_case *b, const uint64_t *on_device)
{
    const size_t bytes = gpu_by_bytes(b->set, BY_COLUMNS);
    uint64_t *bins = malloc(bytes);
    fetch(bins, on_device, bytes);
    for (unsigned key = 0; key < b->keys; key++) {
        verdict(word_of(bins, GPU_BY_ROWS, key, false) == b->rows[key], b, key,
                "rows");
        verdict(word_of(bins, GPU_BY_FIRST, key, true) == b->first[key], b, key,
                "first row");
        for (unsigned c = 0; c < BY_COLUMNS; c++)
            check_column(b, bins, c, key);
    }
    free(bins);
}

/* Checks the odd values that a chunk has listed: every odd value must be listed
 * once, and no other value. */
static void check_odd(struct by_case *b, const struct gpu_by_chunk *chunk)
{
    unsigned odds[BY_COLUMNS];
    uint32_t *rows = malloc(b->pitch * sizeof *rows);
    char *odd = malloc(b->pitch * sizeof(uint64_t));
    const size_t size = dtype_size(b->dtype);
    fetch(odds, chunk->odds, sizeof odds);
    for (unsigned c = 0; c < BY_COLUMNS; c++) {
        const size_t at = c * b->pitch;
        bool ok = odds[c] <= chunk->rows;
        if (ok) {
            fetch(rows, chunk->odd_row + at, odds[c] * sizeof *rows);
            fetch(odd, (char *)chunk->odd + at * size, odds[c] * size);
        }
        for (unsigned i = 0; ok && i < odds[c]; i++)
            ok = by_data_take_odd(b, c, rows[i], odd + i * size);
        verdict(ok && by_data_odds(b, c) == 0, b, odds[c], "odd values");
    }
    free(odd);
    free(rows);
}

static void run_bins(enum dtype dtype, unsigned keys, struct random *random)
{
    struct by_case b;
    by_data_open(&b, dtype, keys, ROWS);
    const size_t cells = BY_COLUMNS * b.pitch;
    struct gpu_by_chunk chunk = {.dtype = dtype,
                                 .set = b.set,
                                 .columns = BY_COLUMNS,
                                 .pitch = b.pitch,
                                 .key = device(b.pitch * sizeof(uint32_t)),
                                 .value = device(cells * sizeof(uint64_t)),
                                 .used = device(cells / 8),
                                 .bins =
                                     device(gpu_by_bytes(b.set, BY_COLUMNS)),
                                 .odds = device(BY_COLUMNS * sizeof(unsigned)),
                                 .odd = device(cells * sizeof(uint64_t)),
                                 .odd_row = device(cells * sizeof(uint32_t))};
    check(gpu_by_clear(chunk.bins, b.set, BY_COLUMNS, NULL), "clearing");
    for (int i = 0; i < CHUNKS; i++) {
        chunk.rows = (unsigned)random_below(random, ROWS) + 1;
        chunk.first = (uint64_t)i << 28;
        by_data_fill(&b, chunk.rows, chunk.first, random);
        send((void *)chunk.key, b.key, b.pitch * sizeof *b.key);
        send((void *)chunk.value, b.value, cells * dtype_size(dtype));
        send((void *)chunk.used, b.used, cells / 8);
        check(gpu_by_add(&chunk, NULL), "adding");
        check(cudaDeviceSynchronize(), "adding");
        check_odd(&b, &chunk);
    }
    check_bins(&b, chunk.bins);
    void *const own[] = {
        (void *)chunk.key, (void *)chunk.value, (void *)chunk.used, chunk.bins,
        chunk.odds,        chunk.odd,           chunk.odd_row};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        cudaFree(own[i]);
    by_data_close(&b);
}

int main(int argc, char **argv)
{
    static const enum dtype dtype[] = {
        DTYPE_f64, DTYPE_f32, DTYPE_i8,  DTYPE_u8,  DTYPE_i16,
        DTYPE_u16, DTYPE_i32, DTYPE_u32, DTYPE_i64, DTYPE_u64};
    static const unsigned keys[] = {1, 300, GPU_BY_KEYS};
    struct random random = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
    const uint64_t seed = random.state;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: no GPU\n");
        return SKIP;
    }
    for (size_t d = 0; d < sizeof dtype / sizeof dtype[0]; d++) {
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            run_bins(dtype[d], keys[k], &random);
    }
    printf("%lu values compared, %lu wrong, seed %" PRIu64 "\n", cases,
           failures, seed);
    return failures > 0 || cases == 0;
}
