/* SPDX-License-Identifier: MIT */
/* The slow path: pairs of numbers whose two types no single type can hold. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/dtype.h"
#include "reduce/wide.h"

/* An integer of at most 64 bits and a sign, or a float. */
struct compare_number {
    bool is_integer;
    __int128 integer;
    double real;
};

struct compare_number compare_number_of(enum dtype dtype, const void *element);
struct compare_number compare_number_of_wide(const struct wide_integer *w);

/* |a - b|, rounded once to f64; 0 where both are equal or either is NaN. */
double compare_difference(const struct compare_number *a,
                          const struct compare_number *b);

/* The number, rounded once to f64. */
double compare_number_real(const struct compare_number *x);

/* a / b, rounded once; b > 0. */
double compare_quotient(uint64_t a, uint64_t b);
