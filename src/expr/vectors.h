/* SPDX-License-Identifier: MIT */
/*
 * Evaluates an expression for many records at a time. The nodes become steps
 * over vectors of typed values, in which missing values are marked. If a value
 * of a batch does not fit (an integer of over 63 bits, or one that f64 cannot
 * hold but must become a float), vectors_run refuses the whole batch: then the
 * caller evaluates each record by expr_evaluate, exactly or with an error.
 */
#pragma once

#include "expr/expr.h"

/* Most records of a batch. A vector of so many values takes 4 KiB, so that all
 * vectors of an expression stay in the L1 cache. */
enum { VECTOR_ROWS = 512 };

/* One value for each record of a batch. Borrowed arrays. */
struct expr_vector {
    enum expr_type type; /* EXPR_BOOL, _INTEGER, _FLOAT or _TEXT */
    bool has_missing;
    /* int64_t for integers and bools (0 or 1), double for floats, struct
     * expr_text for texts. A missing value is stored as 0 or an empty text. */
    const void *values;
    const uint8_t *valid; /* 1, or 0: missing; unused unless has_missing */
};

struct expr_batch {
    /* Sets *vector to the values of the caller's name `index`, in the given
     * type. For EXPR_NUMBER the callback chooses the type, bool, integer or
     * float, the same for every batch. The values stay valid until vectors_run
     * returns. Returns false if a value does not fit: the batch is refused. */
    bool (*load)(void *context, uint32_t index, enum expr_type type,
                 struct expr_vector *vector);
    void *context;
    size_t n; /* records */
};

/* Used by one thread. */
struct vectors;

/* Makes the steps of an expression, which must outlive them. With `portable`,
 * they use the base instruction set, not the processor's best. Sets *v to NULL
 * if some node has no step: then the caller evaluates each record by
 * expr_evaluate. False if memory ran out. */
bool vectors_open(struct vectors **v, const struct expr *x, bool portable,
                  struct error *e);
void vectors_close(struct vectors *v);

/* Evaluates a batch. *out is valid until the next call. False: the batch is
 * refused. */
bool vectors_run(struct vectors *v, const struct expr_batch *batch,
                 struct expr_vector *out);
