/* SPDX-License-Identifier: MIT */
/* Shared by bench_rank and bench_distinct: options, data, times, and CUB's
 * radix sort as peer. */
#pragma once

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

#include "reduce/dtype.h"

enum bench_data {
    DATA_UNIFORM, /* floats in [0, 1); integers of random bits */
    DATA_NORMAL,
    DATA_CONSTANT,
    DATA_TWO, /* two values, at random */
    DATA_FEW, /* a hundred values */
    DATA_SORTED,
    DATA_DISTINCT, /* all different, none NaN, in no order */
    DATA_MILLION,  /* a million values */
    DATA_END
};

/* One device, used by one thread. All buffers are in device memory. */
struct bench {
    char *data;
    size_t n;
    enum dtype dtype;
    enum bench_data kind;
    double roof;  /* B/s of reading alone */
    size_t bytes; /* size of `data`, and of `sorted`, CUB's output */
    void *sorted, *temporary;
    size_t temporary_bytes;
    uint64_t *count; /* [BENCH_COUNTERS]: bins, or one result */
    cudaStream_t stream;
    unsigned wrong;   /* answers that differ from the peer's */
    const char *only; /* --dtype; NULL: every dtype */
    const char *rows; /* --rows; NULL: all */
};

enum { BENCH_COUNTERS = 1 << 14 };

/* Reads the options, opens the device, and measures and prints the roof. If
 * that fails it exits, with status 77 if there is no GPU. */
void bench_open(struct bench *b, int argc, char **argv);

/* Returns whether the options select these rows and this dtype. */
bool bench_wants(const struct bench *b, const char *rows, enum dtype dtype);

/* Fills the data. Sets n to as many elements as `bytes` hold; 0: all. */
void bench_fill(struct bench *b, enum dtype dtype, enum bench_data kind,
                size_t bytes);

/* On an error, prints `what` and exits. */
void bench_check(cudaError_t code, const char *what);

/* Work to time. It may wait for the device. */
typedef void bench_work(struct bench *b, void *more);

/* Returns the median seconds of several runs. */
double bench_time(struct bench *b, bench_work *work, void *more);

/* Returns the seconds of CUB's sort, with `distinct` also of its count; 0
 * without CUB. The results are in b->sorted and *distinct, on the device. */
double bench_time_peer(struct bench *b, uint64_t *distinct);

/* Starts a row of a table: rate, share of reading, milliseconds. */
void bench_row(const struct bench *b, const char *what, double seconds);

const char *bench_data_name(enum bench_data kind);
/* Draws n elements at `data`, on the stream. */
EXTERN_C void bench_draw(struct bench *b);

/* Only reads the data. */
EXTERN_C cudaError_t bench_read(const void *data, size_t bytes, unsigned *out,
                                cudaStream_t stream);

/* Sorts the bits of n elements to out[n] as unsigned integers. With `distinct`,
 * also counts the different ones, in device memory. *bytes is the size of
 * `temporary`, set if that is NULL. Without CUB: cudaErrorNotSupported. */
EXTERN_C cudaError_t bench_peer(enum dtype dtype, const void *data, size_t n,
                                void *out, uint64_t *distinct, void *temporary,
                                size_t *bytes, cudaStream_t stream);
