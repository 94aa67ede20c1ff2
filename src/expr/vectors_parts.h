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

/* The functions of steps, each compiled for the base set as step_NAME, which is
 * what steps are made of, and for other sets under names of their own. */
/* clang-format off */
#define STEPS(X) \
    X(constant) X(load) X(to_float) X(add) \
    X(subtract) X(multiply) X(rest) X(integers) \
    X(integer_power) X(add_reals) X(subtract_reals) X(multiply_reals) \
    X(divide_reals) X(reals) X(reals_2) X(negate_reals) \
    X(abs_reals) X(sqrt_reals) X(power_reals) X(compare_integers) \
    X(compare_reals) X(texts) X(texts_2) X(equal_texts) \
    X(retype) X(not) X(and) X(or) \
    X(isnan) X(isfinite) X(ismissing) X(coalesce) \
    X(in_integers) X(in_reals) X(in_texts) X(choose) \
    X(all_true)
/* clang-format on */

#define STEP_JOIN2(name, set) step_##name##_##set
#define STEP_JOIN(name, set) STEP_JOIN2(name, set)
#ifdef LOOPS
#define STEP(name) STEP_JOIN(name, LOOPS)
#else
#define STEP(name) step_##name
#endif

#define STEP_DECLARE(name) step_fn step_##name, STEP(name);
STEPS(STEP_DECLARE)
#undef STEP_DECLARE

/* A step's function and the same for a better set; a table ends with NULL. */
struct step_pair {
    step_fn *base, *best;
};

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

/* Makes a constant that is sought among integers one of 64 bits. False: it is
 * none, and equals no word. */
static inline bool word_of_constant(struct expr_value *c)
{
    expr_convert(c, EXPR_NUMBER);
    if (c->type == EXPR_FLOAT) {
        const bool is_whole = c->real >= -0x1p63 && c->real < 0x1p63 &&
                              c->real == (double)(int64_t)c->real;
        if (!is_whole)
            return false;
        c->integer = (int64_t)c->real;
    }
    return c->integer == (int64_t)c->integer;
}

static inline bool are_equal(struct expr_text a, struct expr_text b)
{
    return a.bytes == b.bytes &&
           (a.bytes == 0 || memcmp(a.at, b.at, a.bytes) == 0);
}
