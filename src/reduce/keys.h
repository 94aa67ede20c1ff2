/* SPDX-License-Identifier: MIT */
/*
 * The values of a column as keys: 64-bit integers that are equal where values
 * are. The key of a number is its bits in the dtype that it is computed as, but
 * for -0, which has those of 0, and NaN, all of which have the same; so the key
 * can be read as an element.
 */
#pragma once

#include <stdint.h>

#include "reduce/column.h"

enum { KEYS_BLOCK = 1024 };

/* Keys, at most KEYS_BLOCK: key[i] stands for times[i] values, or where times
 * is NULL for one. A key may come more than once. */
typedef void keys_fn(void *to, const uint64_t *key, const uint64_t *times,
                     size_t n);

/* Gives all values of the column, of which there are less than 2^32. Those of 8
 * and 16 bits are counted first. */
void keys_of_column(const struct column *column, keys_fn *take, void *to);

/* The key of NaN; 0 where the dtype, which is computed with, has none. */
uint64_t keys_nan(enum dtype dtype);

/* The key of an f64 that is an integer of text. False where f64 cannot hold it.
 */
bool keys_of_wide(struct wide_integer x, uint64_t *key);
