/* SPDX-License-Identifier: MIT */
/* Converts values as the data hold them to the words of vectors. */
#pragma once

#include "expr/expr.h"
#include "reduce/dtype.h"

/* Converts n values of a dtype, at any alignment, to words of a type: int64_t
 * for EXPR_INTEGER, int64_t 0 or 1 for EXPR_BOOL, double for EXPR_FLOAT. For
 * integer words, the dtype must be one of integers. Returns false if an integer
 * has over 63 bits, or a bool is neither 0 nor 1; the word then holds its
 * unsigned bits. */
bool expr_words(enum dtype dtype, enum expr_type type, const void *values,
                size_t n, int64_t *words);
