/* SPDX-License-Identifier: MIT */
/*
 * Sets of the distinct values of a column, in device memory, and estimates of
 * their number: a C header. canonical.h defines the keys. A set of values of
 *
 *     8 or 16 bits  has a bit for each value, 8 KiB
 *     32 bits       has a bit for each key, 512 MiB
 *     64 bits       is a hash table, which grows
 *
 * Several streams may add chunks at the same time, after gpu_set_reserve has
 * made room for all of their values. All other calls need one thread, while no
 * stream adds. Chunks have a dtype that is computed with, and start at a
 * multiple of 16 bytes in device memory.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

#include "kernels/distinct/canonical.h"
#include "kernels/distinct/narrow.h"
#include "reduce/sketch.h"

/* Counters and a small bitmap in device memory, which only kernels write; zero
 * at first. */
struct gpu_set_tally {
    uint64_t n;        /* 64-bit keys, without the key whose hash is 0; of 32
                        * bits, keys that were added singly, some of them twice */
    uint32_t has_zero; /* that key */
    uint32_t is_full;  /* a part had no slot left: keys are lost */
    uint64_t ones;     /* of a bitmap of 32-bit keys, when they are counted */
    uint32_t narrow[NARROW_WORDS]; /* the bits of 8- and 16-bit values */
};

/* Only the functions of this header use the fields. */
struct gpu_set {
    enum dtype dtype;
    void *at;          /* of 32 bits: the bits; of 64: the slots */
    uint32_t parts;    /* of a table */
    bool is_fresh;     /* of 32 and 64 bits: not zeroed yet */
    uint64_t most;     /* keys that a table may have by now */
    size_t many;       /* elements that may be added a bucket at a time */
    void *room;        /* buckets for elements that are many, */
    size_t room_bytes; /* or NULL */
    struct gpu_set_tally *tally; /* on the device */
};

/* Opens an empty set. For keys of 32 and 64 bits, call gpu_set_reserve before
 * values are added. The caller calls gpu_set_close even after a failure. */
EXTERN_C cudaError_t gpu_set_open(struct gpu_set *s, enum dtype dtype,
                                  cudaStream_t stream);
EXTERN_C void gpu_set_close(struct gpu_set *s);

/* Empties a set, which keeps its memory. Call gpu_set_reserve next. */
EXTERN_C cudaError_t gpu_set_clear(struct gpu_set *s, cudaStream_t stream);

/* Makes room for n more values. Waits for the device if a table may have to
 * grow. If memory runs out, returns cudaErrorMemoryAllocation and does not
 * change the set. */
EXTERN_C cudaError_t gpu_set_reserve(struct gpu_set *s, size_t n);

/* Adds n elements, for which room must be reserved. Waits for the device where
 * they are so many that they may be added a bucket at a time. */
EXTERN_C cudaError_t gpu_set_add(struct gpu_set *s, const void *data, size_t n,
                                 cudaStream_t stream);

/* Sets the number of distinct values, where all NaN are one, and whether one of
 * them is NaN. Waits. cudaErrorUnknown if keys were lost despite the room. */
EXTERN_C cudaError_t gpu_set_count(const struct gpu_set *s, uint64_t *n,
                                   bool *has_nan);

/* Lists the keys of a set of 8 or 16 bits in key[NARROW_KEYS], as 64-bit
 * integers in host memory, ascending. Waits. */
EXTERN_C cudaError_t gpu_set_list(const struct gpu_set *s, uint64_t *key,
                                  size_t *n);

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
                                   uint32_t *bits, uint64_t *added,
                                   cudaStream_t stream);
EXTERN_C cudaError_t gpu_set64_add(enum dtype dtype, const void *data, size_t n,
                                   uint64_t *slots, uint32_t parts,
                                   struct gpu_set_tally *tally,
                                   cudaStream_t stream);

/* Add elements a part of the set at a time, while no other kernel adds. `room`
 * is device memory of set_buckets_bytes. The second needs gpu_set64_fits:
 * shared memory for a part. */
EXTERN_C cudaError_t gpu_set32_add_many(enum dtype dtype, const void *data,
                                        size_t n, void *room, uint32_t *bits,
                                        cudaStream_t stream);
EXTERN_C cudaError_t gpu_set64_add_many(enum dtype dtype, const void *data,
                                        size_t n, void *room, uint64_t *slots,
                                        uint32_t parts,
                                        struct gpu_set_tally *tally,
                                        cudaStream_t stream);
EXTERN_C bool gpu_set64_fits(void);

/* Adds the hashes of a table to another. */
EXTERN_C cudaError_t gpu_set64_move(const uint64_t *from, uint32_t parts,
                                    uint64_t *slots, uint32_t into_parts,
                                    struct gpu_set_tally *tally,
                                    cudaStream_t stream);

/* Adds the number of bits that are set to *sum. */
EXTERN_C cudaError_t gpu_count_bits(const uint32_t *bits, size_t words,
                                    uint64_t *sum, cudaStream_t stream);
