/* SPDX-License-Identifier: MIT */
/* Writes the steps of an expression (vectors.h) as statements of CUDA C, for
 * one record. */
#pragma once

#include <stdio.h>

#include "expr/expr.h"

/* The names in the statements:
 *
 *   rK_S, wK_S  entry S of the stack of expression K, as a double or as a
 *               long long, which bools are too
 *   mK_S        whether the entry is missing, if `missing` is set
 *   odd         set if a value does not fit; vectors_run refuses such a batch
 *   checked_*   expr_kernel_functions
 *
 * `load` writes an expression for a name's value: a double if the type is
 * EXPR_FLOAT, else a long long; 0 if the value is missing. It returns false if
 * a kernel cannot read the name. `missing` writes an expression for whether the
 * value is missing; NULL: no value is. */
struct expr_kernel {
    unsigned number; /* K */
    bool (*load)(void *context, uint32_t index, FILE *to);
    void (*missing)(void *context, uint32_t index, FILE *to);
    void *context;
};

/* Writes the statements; entry 0 has the result, *type is its type. Returns
 * NULL, or why there are no such statements, such as "exp() is a function of
 * the CPU's library". */
const char *expr_kernel_write(const struct expr *x,
                              const struct expr_kernel *kernel,
                              enum expr_type *type, FILE *to);

/* The functions that the statements call. */
extern const char expr_kernel_functions[];
