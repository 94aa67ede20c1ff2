/* SPDX-License-Identifier: MIT */
/* Writes the steps of an expression (vectors.h) as statements of CUDA C, for
 * one record. */
#pragma once

#include <stdio.h>

#include "expr/expr.h"

/* What the statements name:
 *
 *   rK_S, wK_S  entry S of the stack of expression K, as a double or as a
 *               long long, which bools are too
 *   mK_S        whether the entry is missing, if `missing` is set
 *   odd         set where a value does not fit, as vectors_run refuses a batch
 *   checked_*   expr_kernel_functions
 *
 * `load` writes the expression of a name's value: a double of EXPR_FLOAT, else
 * a long long; 0 if it is missing. False: the name has none. `missing` writes
 * whether it is missing; NULL: no value is. */
struct expr_kernel {
    unsigned number; /* K */
    bool (*load)(void *context, uint32_t index, FILE *to);
    void (*missing)(void *context, uint32_t index, FILE *to);
    void *context;
};

/* The result is entry 0. NULL; or why there are no such statements, as "exp()
 * is a function of the CPU's library". *type is the result's. */
const char *expr_kernel_write(const struct expr *x,
                              const struct expr_kernel *kernel,
                              enum expr_type *type, FILE *to);

/* The functions that the statements call. */
extern const char expr_kernel_functions[];
