/* SPDX-License-Identifier: MIT */
/* The keys of a bitmap of 2^16 values of 16 bits, or of pairs of 8. */
#pragma once

#include <stddef.h>

#include "kernels/distinct/canonical.h"

enum { NARROW_WORDS = 1 << 11, NARROW_KEYS = 1 << 16 };

/* Lists the keys, ascending by their bits: key[NARROW_KEYS], or NULL to count
 * them alone. */
size_t narrow_list(enum dtype dtype, const uint32_t *bits, uint64_t *key);
