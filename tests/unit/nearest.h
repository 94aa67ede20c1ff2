/* SPDX-License-Identifier: MIT */
/* Whether a double is the nearest to a real number. It compares the number with
 * the midpoints on both sides of the double: exact, without division or root,
 * and without knowing how the double was computed. */
#pragma once

#include <stdbool.h>

#include "big.h"

/* The number is n / d * 2^exponent or its square root; d > 0, and n >= 0 for a
 * root. Ties go to the even mantissa. Returns false for NaN. */
bool is_nearest(double x, const struct big *n, const struct big *d,
                int exponent, bool root);
