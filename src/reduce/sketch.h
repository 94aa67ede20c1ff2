/* SPDX-License-Identifier: MIT */
/*
 * HyperLogLog with 2^14 registers: estimates how many distinct values a group
 * has, with a standard error of 0.81 %. The registers depend only on the set of
 * values, and are the same on every machine. A state lists the registers that
 * are not 0, until all 16 KiB of registers take less memory than the list. A
 * state that finds no memory is lost.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/hd.h"
#include "reduce/wide.h"

struct column;

enum { SKETCH_BITS = 14, SKETCH_REGISTERS = 1 << SKETCH_BITS };

struct sketch {
    uint8_t *all;     /* [SKETCH_REGISTERS], or NULL: they are listed */
    uint32_t *listed; /* [room], a hash table: register << 8 | value; 0: free */
    uint32_t n, room;
    bool has_nan; /* NaN is in no register */
    uint8_t lost; /* enum distinct_lost */
};

/* The register of a hash, and the value to which the hash raises it: the place
 * of the first 1 among the other bits. */
HD uint32_t sketch_register(uint64_t hash)
{
    return (uint32_t)(hash >> (64 - SKETCH_BITS));
}

HD uint32_t sketch_value(uint64_t hash)
{
    const uint64_t bits =
        hash << SKETCH_BITS | 1ull << (SKETCH_BITS - 1); /* never 0 */
#ifdef __CUDA_ARCH__
    return (uint32_t)__clzll((long long)bits) + 1;
#else
    return (uint32_t)__builtin_clzll(bits) + 1;
#endif
}

void sketch_init(struct sketch *s);
void sketch_close(struct sketch *s);

void sketch_add(struct sketch *s, const struct column *column);
void sketch_add_wide(struct sketch *s, struct wide_integer x);
void sketch_merge(struct sketch *into, const struct sketch *from);

/* Adds a hash. */
void sketch_put(struct sketch *s, uint64_t hash);

/* Raises a register to a value of at least 1. */
void sketch_raise(struct sketch *s, uint32_t index, uint32_t value);

/* Writes the sketch: whether it has NaN, then each register that is not 0, in 3
 * bytes, ascending. Returns the number of bytes; `to` may be NULL. */
size_t sketch_write(const struct sketch *s, uint8_t *to);

/* Raises the registers of an empty sketch as written. False if the bytes are
 * not a sketch. */
bool sketch_read(struct sketch *s, const uint8_t *from, size_t bytes);

/* The estimated number of distinct values, without NaN. */
uint64_t sketch_estimate(const struct sketch *s);
