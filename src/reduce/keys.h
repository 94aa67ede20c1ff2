/* SPDX-License-Identifier: MIT */
/*
 * The values of a column as keys: 64-bit integers that are equal if the values
 * are. The key of a number is its bits, in the dtype that it is computed as,
 * with two exceptions: -0 has the bits of 0, and all NaN have the same bits. So
 * a key can be read as an element.
 */
#pragma once

#include <stdint.h>

#include "reduce/column.h"

enum { KEYS_BLOCK = 1024 };

/* Receives n <= KEYS_BLOCK keys. key[i] stands for times[i] values or, if times
 * is NULL, for one. The same key may come again. */
typedef void keys_fn(void *to, const uint64_t *key, const uint64_t *times,
                     size_t n);

/* Calls `take` with the keys of all values of the column, fewer than 2^32.
 * Values of 8 and 16 bits are counted first. */
void keys_of_column(const struct column *column, keys_fn *take, void *to);

/* The key of NaN; 0 if the dtype has no NaN. The dtype is not a stored one. */
uint64_t keys_nan(enum dtype dtype);

/* Whether a value of the dtype, which is not a stored one, has the key. */
bool keys_has(enum dtype dtype, uint64_t key);

/* Sets the key of an integer of text as f64. False if f64 cannot hold it. */
bool keys_of_wide(struct wide_integer x, uint64_t *key);
