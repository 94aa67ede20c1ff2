/* SPDX-License-Identifier: MIT */
/* Whether a double is the one that a real number rounds to, told by comparing
 * the number with the midpoints on both sides of the double: exact, without
 * division or root, and without knowing how the double was found. */
#pragma once

#include <stdbool.h>

#include "big.h"

/* n / d * 2^exponent, or the square root of it; d > 0, and n >= 0 for a root.
 * Ties go to the even mantissa. NaN is never right. */
bool is_nearest(double x, const struct big *n, const struct big *d,
                int exponent, bool root);
