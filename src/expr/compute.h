/* SPDX-License-Identifier: MIT */
/*
 * What operators and functions compute: integers_NAME, reals_NAME and
 * values_NAME, for the members of struct operation. Those of one operand ignore
 * b. integers_NAME returns "" for a result of more than 127 bits.
 */
#pragma once

#include "expr/operations.h"

integers_fn integers_same, integers_negate, integers_abs, integers_add,
    integers_subtract, integers_multiply, integers_rest, integers_mod,
    integers_gcd, integers_min, integers_max;

reals_fn reals_same, reals_negate, reals_abs, reals_add, reals_subtract,
    reals_multiply, reals_divide, reals_rest, reals_mod, reals_gcd, reals_pow,
    reals_min, reals_max, reals_sqrt, reals_floor, reals_ceil, reals_trunc,
    reals_round, reals_rint, reals_exp, reals_log, reals_log2, reals_log10,
    reals_sin, reals_cos, reals_tan, reals_atan2, reals_hypot;

values_fn values_not, values_and, values_or, values_eq, values_ne, values_lt,
    values_le, values_gt, values_ge, values_isnan, values_isfinite,
    values_ismissing, values_coalesce, values_startswith, values_endswith,
    values_contains, values_len, values_num, values_text;

/* a ** n. For |n| <= 64 a fixed chain of products and then, if n < 0, one
 * division; else the C library's pow. */
double reals_power(double a, __int128 n);
