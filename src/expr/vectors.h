/* SPDX-License-Identifier: MIT */
/*
 * Evaluates an expression for many records at a time: the nodes become steps
 * over vectors of typed values, with the missing ones marked. A batch of which
 * some value does not fit (an integer of over 63 bits, or one that f64 cannot
 * hold beside a float) is refused as a whole: then expr_evaluate decides each
 * record, exactly or with an error.
 */
#pragma once

#include "expr/expr.h"

/* Records of a batch at most. A vector of them takes 4 KiB, so that those of an
 * expression stay in the L1 cache. */
enum { VECTOR_ROWS = 512 };

/* A value of each record of a batch. */
struct expr_vector {
    enum expr_type type; /* EXPR_BOOL, _INTEGER, _FLOAT or _TEXT */
    bool has_missing;
    /* int64_t of integers, and of bools 0 or 1; double; struct expr_text. The
     * value of a missing one is 0 or an empty text. */
    const void *values;
    const uint8_t *valid; /* 1 or 0; used if has_missing */
};

struct expr_batch {
    /* Sets *vector to the values of the caller's name `index`, as texts if the
     * type is EXPR_TEXT; else EXPR_NUMBER may become any other type, but the
     * same for every batch. They are valid until the end of the run. False
     * where some do not fit: the batch is refused. */
    bool (*load)(void *context, uint32_t index, enum expr_type type,
                 struct expr_vector *vector);
    void *context;
    size_t n; /* records */
};

/* For one thread. */
struct vectors;

/* Makes the steps of an expression, which must outlive them. portable: of the
 * base instruction set, not of the processor's best. *v is NULL if the
 * expression has no steps: then each record is left to expr_evaluate. False: no
 * memory. */
bool vectors_open(struct vectors **v, const struct expr *x, bool portable,
                  struct error *e);
void vectors_close(struct vectors *v);

/* *out is valid until the next run. False: the batch is refused. */
bool vectors_run(struct vectors *v, const struct expr_batch *batch,
                 struct expr_vector *out);
