/* SPDX-License-Identifier: MIT */
/*
 * Sets of the distinct values of a column, in device memory, and estimates of
 * how many there are: a C header. Keys are as in canonical.h.
 *
 * A set of 8 or 16-bit values is a bit for each, 8 KiB; of 32-bit ones a bit
 * for each hash, 512 MiB; of 64-bit ones a hash table, which grows. Chunks of
 * any number may be added on several streams at the same time, after
 * gpu_set_reserve has made room for all that they might bring. All other calls
 * are by one thread while no stream adds. Chunks are of a dtype that is
 * computed with, and begin at a multiple of 16 bytes in device memory.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "kernels/distinct/canonical.h"
#include "reduce/sketch.h"

/* What kernels count in device memory, zero at first. */
struct gpu_set_tally {
    uint64_t n;        /* 64-bit keys, without the key whose hash is 0 */
    uint32_t has_zero; /* that key */
    uint32_t is_full;  /* a part had no slot left: keys are lost */
    uint64_t listed;   /* keys that a listing gives */
};

/* The fields are the set's own. */
struct gpu_set {
    enum dtype dtype;
    void *at;                    /* bits, or the table's slots */
    uint32_t parts;              /* of a table */
    bool is_fresh;               /* of 32 and 64 bits: not zeroed yet */
    uint64_t most;               /* keys that a table may have by now */
    struct gpu_set_tally *tally; /* on the device */
};

/* Opens an empty set; of 64-bit keys, it has no slots before the first
 * gpu_set_reserve, which keys of 32 bits need, too. Whatever fails,
 * gpu_set_close frees what there is. */
EXTERN_C cudaError_t gpu_set_open(struct gpu_set *s, enum dtype dtype,
                                  cudaStream_t stream);
EXTERN_C void gpu_set_close(struct gpu_set *s);

/* Empties a set, which keeps its memory; gpu_set_reserve comes next. */
EXTERN_C cudaError_t gpu_set_clear(struct gpu_set *s, cudaStream_t stream);

/* Makes room for so many values more. Waits for the device where a table may
 * have to grow. Without memory it returns cudaErrorMemoryAllocation and leaves
 * the set as it was. */
EXTERN_C cudaError_t gpu_set_reserve(struct gpu_set *s, size_t n);

/* Adds n elements, in room that was reserved. */
EXTERN_C cudaError_t gpu_set_add(struct gpu_set *s, const void *data, size_t n,
                                 cudaStream_t stream);

/* The number of distinct values, all NaN one, and whether NaN is among them.
 * Waits. cudaErrorUnknown where keys were lost, in spite of the room. */
EXTERN_C cudaError_t gpu_set_count(const struct gpu_set *s, uint64_t *n,
                                   bool *has_nan);

/* Lists keys, as 64-bit integers in host memory, at most `most` of them, which
 * is 2^16 or more, from *from on, which is 0 at first; *n 0: there are no more.
 * Waits. `room` is device memory for as many. Each call reads up to all of the
 * set: ask for many. */
EXTERN_C cudaError_t gpu_set_list(const struct gpu_set *s, uint64_t *from,
                                  uint64_t *key, size_t most, size_t *n,
                                  void *room);

/* The registers of an estimate (reduce/sketch.h), 32 bits each, and one more
 * that is not 0 if NaN was seen, which is in no register. */
enum { ESTIMATE_NAN = SKETCH_REGISTERS, ESTIMATE_WORDS = SKETCH_REGISTERS + 1 };

/* Raises registers[ESTIMATE_WORDS] in device memory, zero at first. Any streams
 * may at the same time. Elements have 32 or 64 bits: the estimate of narrower
 * ones follows from their set. */
EXTERN_C cudaError_t gpu_estimate_add(enum dtype dtype, const void *data,
                                      size_t n, uint32_t *registers,
                                      cudaStream_t stream);

/*
 * The kernels, which set.c calls.
 */
EXTERN_C cudaError_t gpu_bits16_add(const void *data, size_t bytes,
                                    uint32_t *bits, cudaStream_t stream);
EXTERN_C cudaError_t gpu_set32_add(enum dtype dtype, const void *data, size_t n,
                                   uint32_t *bits, cudaStream_t stream);
EXTERN_C cudaError_t gpu_set64_add(enum dtype dtype, const void *data, size_t n,
                                   uint64_t *slots, uint32_t parts,
                                   struct gpu_set_tally *tally,
                                   cudaStream_t stream);

/* Adds the hashes of a table to another. */
EXTERN_C cudaError_t gpu_set64_move(const uint64_t *from, uint32_t parts,
                                    uint64_t *slots, uint32_t into_parts,
                                    struct gpu_set_tally *tally,
                                    cudaStream_t stream);

/* Adds the number of ones to *sum. */
EXTERN_C cudaError_t gpu_count_bits(const uint32_t *bits, size_t words,
                                    uint64_t *sum, cudaStream_t stream);

/* Lists the hashes of words of a bitmap, and of slots, as 64-bit integers; adds
 * to *listed how many there are, of which `room` at most are written. */
EXTERN_C cudaError_t gpu_set32_list(const uint32_t *bits, size_t first,
                                    size_t words, uint64_t *to, uint64_t room,
                                    uint64_t *listed, cudaStream_t stream);
EXTERN_C cudaError_t gpu_set64_list(const uint64_t *slots, size_t n,
                                    uint64_t *to, uint64_t room,
                                    uint64_t *listed, cudaStream_t stream);
