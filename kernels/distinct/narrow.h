/* SPDX-License-Identifier: MIT */
/* The keys of a bitmap of 2^16 values of 16 bits, or of pairs of 8. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "kernels/distinct/canonical.h"

enum { NARROW_WORDS = 1 << 11, NARROW_KEYS = 1 << 16 };

/* The number of keys. Sets *has_nan to whether NaN is one of them. */
size_t narrow_count(enum dtype dtype, const uint32_t *bits, bool *has_nan);

/* Lists the keys, ascending by their bits: key[NARROW_KEYS]. */
size_t narrow_list(enum dtype dtype, const uint32_t *bits, uint64_t *key);
