/* SPDX-License-Identifier: MIT */
/*
 * The values of some ranks among keys in memory, of one group: the keys are
 * those of reduce/ranks.h, in 32 bits of dtypes that have no more, else in 64.
 * Time is linear in the keys, whatever they are: a pass counts them in bins
 * between the least and the greatest, and only those in the bins of the ranks
 * are looked at again. Any thread.
 */
#pragma once

#include "reduce/ranks.h"

/* Bytes of a key. */
size_t select_size(enum dtype dtype);

/* Makes keys of n elements of a dtype that is computed with. */
void select_keys(enum dtype dtype, void *to, const void *from, size_t n);

/* Drops the keys of NaN. Returns how many are left, which stay in order. */
size_t select_numbers(enum dtype dtype, void *key, size_t n);

/* Sets the key of each target: their ranks are below n, ascending and
 * different. Changes the keys. `scratch` has room for n of them where there is
 * more than one target. */
void select_ranks(enum dtype dtype, void *key, size_t n, void *scratch,
                  struct rank_found *target, size_t targets);
