/* SPDX-License-Identifier: MIT */
/* What bench_rank and bench_distinct share: options, data, times, and CUB's
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
    DATA_TWO, /* values, at random */
    DATA_FEW, /* a hundred */
    DATA_SORTED,
    DATA_DISTINCT, /* each another value, none NaN, in no order */
    DATA_MILLION,  /* a million values */
    DATA_END
};

/* One device, one thread. All memory is the device's. */
struct bench {
    char *data;
    size_t n;
    enum dtype dtype;
    enum bench_data kind;
    double roof;  /* B/s, of only reading */
    size_t bytes; /* of data, and of what CUB sorts them into */
    void *sorted, *temporary;
    size_t temporary_bytes;
    uint64_t *count; /* bins, or one result: BENCH_COUNTERS */
    cudaStream_t stream;
    unsigned wrong;   /* answers that are not the peer's */
    const char *only; /* a dtype */
    const char *rows; /* what is benched: NULL is all */
};

enum { BENCH_COUNTERS = 1 << 14 };

/* Reads the options, opens the device, and measures and prints the roof. Exits
 * where that fails, with status 77 where there is no GPU. */
void bench_open(struct bench *b, int argc, char **argv);

/* Whether rows of the name are wanted, and a dtype. */
bool bench_wants(const struct bench *b, const char *rows, enum dtype dtype);

/* Sets n to `bytes` of the dtype, or all that there are, and fills the data. */
void bench_fill(struct bench *b, enum dtype dtype, enum bench_data kind,
                size_t bytes);

/* Prints what it is and exits, unless all is well. */
void bench_check(cudaError_t code, const char *what);

/* A thing to time; it may wait. */
typedef void bench_work(struct bench *b, void *more);

/* Seconds, the median of some runs. */
double bench_time(struct bench *b, bench_work *work, void *more);

/* Seconds of CUB's sort, and with `distinct` its count; 0 where there is no
 * CUB. b->sorted and *distinct are then on the device. */
double bench_time_peer(struct bench *b, uint64_t *distinct);

/* Starts a row of a table: rate, share of reading, milliseconds. */
void bench_row(const struct bench *b, const char *what, double seconds);

const char *bench_data_name(enum bench_data kind);
/* Of n elements at `data`, on the stream. */
EXTERN_C void bench_draw(struct bench *b);

/* The time of only reading the data. */
EXTERN_C cudaError_t bench_read(const void *data, size_t bytes, unsigned *out,
                                cudaStream_t stream);

/* Sorts the bits of elements as unsigned integers and, with `distinct`, counts
 * those that differ, in device memory. `out`: n elements; *bytes of temporary
 * memory, set where it is NULL. cudaErrorNotSupported where there is no CUB. */
EXTERN_C cudaError_t bench_peer(enum dtype dtype, const void *data, size_t n,
                                void *out, uint64_t *distinct, void *temporary,
                                size_t *bytes, cudaStream_t stream);
