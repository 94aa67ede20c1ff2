/* SPDX-License-Identifier: MIT */
/*
 * Selects the values of some ranks among a group's keys in memory. The keys are
 * those of reduce/ranks.h, in 32 bits for dtypes of up to 32 bits, else in 64.
 * The time is linear in the number of keys, whatever their values: a pass
 * counts them in bins between the least and the greatest, and only keys in the
 * bins of the ranks are read again. Any thread.
 */
#pragma once

#include "reduce/ranks.h"

/* Bytes of a key. */
size_t select_size(enum dtype dtype);

/* Makes keys of n elements of a dtype that is computed with. */
void select_keys(enum dtype dtype, void *to, const void *from, size_t n);

/* Removes the keys of NaN, and keeps the order. Returns how many keys are left.
 */
size_t select_numbers(enum dtype dtype, void *key, size_t n);

/* Sets the key of each target. Their ranks must be below n, ascending. Reorders
 * the keys. `scratch` needs room for n keys if there is more than one target.
 */
void select_ranks(enum dtype dtype, void *key, size_t n, void *scratch,
                  struct rank_found *target, size_t targets);
