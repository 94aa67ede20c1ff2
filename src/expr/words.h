/* SPDX-License-Identifier: MIT */
/* Values as data hold them, made the words that vectors have. */
#pragma once

#include "expr/expr.h"
#include "reduce/dtype.h"

/* Converts n values of a dtype, at any alignment, to words of a type: int64_t
 * of EXPR_INTEGER, the same as 0 and 1 of EXPR_BOOL, double of EXPR_FLOAT. The
 * words of integers fit only a dtype of integers. False: some integer has over
 * 63 bits; its word then has the 64 bits that it has as unsigned. */
bool expr_words(enum dtype dtype, enum expr_type type, const void *values,
                size_t n, int64_t *words);
