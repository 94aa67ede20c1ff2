/* SPDX-License-Identifier: MIT */
/* What vectors.c, which runs steps, shares with vectors_make.c, which makes
 * them, and with the files that compute them. */
#pragma once

#include <string.h>

#include "expr/operations.h"
#include "expr/vectors.h"

/* An entry of the stack: each value of the batch. */
struct slot {
    enum expr_type type;
    bool has_missing;
    const void *values; /* below, or where the caller has them */
    const uint8_t *valid;
    int64_t *words;          /* [VECTOR_ROWS]: of all types but text */
    struct expr_text *texts; /* [VECTOR_ROWS] */
    uint8_t *marks;          /* [VECTOR_ROWS] */
};

struct step;

/* Computes n values in v->slot[s->slot], from that one and those after it.
 * False: some value does not fit. */
typedef bool step_fn(struct vectors *v, const struct step *s, size_t n);

struct step {
    step_fn *run;
    uint16_t slot;
    uint8_t type;          /* enum expr_type of the result */
    uint8_t operation;     /* enum expr_operation, of some */
    uint32_t index, count; /* of a name, or of constants */
    union {
        struct expr_value constant;
        integers_fn *integers;
        reals_fn *reals;
        values_fn *values;
        int64_t power;
    };
};

struct vectors {
    const struct expr *x;
    const struct expr_batch *batch; /* during a run */
    size_t slots, steps;
    struct slot *slot;
    struct step *step;
    void *memory;
};

/* Makes the steps of v->x. Sets *slots to the entries of the stack. False: some
 * node has none. */
bool vectors_make(struct vectors *v, size_t *slots);

step_fn step_constant, step_load, step_to_float, step_add, step_subtract,
    step_multiply, step_rest, step_integers, step_integer_power, step_add_reals,
    step_subtract_reals, step_multiply_reals, step_divide_reals, step_reals,
    step_reals_2, step_negate_reals, step_abs_reals, step_sqrt_reals,
    step_power_reals, step_compare_integers, step_compare_reals, step_texts,
    step_texts_2, step_equal_texts, step_retype, step_not, step_and, step_or,
    step_isnan, step_isfinite, step_ismissing, step_coalesce, step_in_integers,
    step_in_reals, step_in_texts, step_choose, step_all_true;

static inline const double *reals_of(const struct slot *s)
{
    return s->values;
}

static inline const int64_t *integers_of(const struct slot *s)
{
    return s->values;
}

static inline const struct expr_text *texts_of(const struct slot *s)
{
    return s->values;
}

/* Says that the slot now has the values of its own words. */
static inline bool made(struct slot *s, enum expr_type type)
{
    s->values = s->words;
    s->type = type;
    return true;
}

/* A value of two operands is missing where either is. */
static inline void mark_both(struct slot *a, const struct slot *b, size_t n)
{
    if (!b->has_missing)
        return;
    for (size_t i = 0; i < n; i++)
        a->marks[i] = b->valid[i] & (a->has_missing ? a->valid[i] : 1);
    a->valid = a->marks;
    a->has_missing = true;
}

static inline bool are_equal(struct expr_text a, struct expr_text b)
{
    return a.bytes == b.bytes &&
           (a.bytes == 0 || memcmp(a.at, b.at, a.bytes) == 0);
}
