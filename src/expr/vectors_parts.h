/* SPDX-License-Identifier: MIT */
/* Shared by vectors.c, which runs steps, vectors_make.c, which makes them, and
 * the files with the functions of the steps. */
#pragma once

#include <string.h>

#include "expr/operations.h"
#include "expr/vectors.h"

/* A stack entry: one value for each record of the batch. */
struct slot {
    enum expr_type type;
    bool has_missing;
    const void *values; /* `words` or `texts`, or the caller's own array */
    const uint8_t *valid;
    int64_t *words;          /* [VECTOR_ROWS]: of all types but text */
    struct expr_text *texts; /* [VECTOR_ROWS] */
    uint8_t *marks;          /* [VECTOR_ROWS] */
};

struct step;

/* Computes n values of v->slot[s->slot] from that slot and the slots after it.
 * False: a value does not fit. */
typedef bool step_fn(struct vectors *v, const struct step *s, size_t n);

struct step {
    step_fn *run;
    uint16_t slot;
    uint8_t type;          /* enum expr_type of the result */
    uint8_t operation;     /* enum expr_operation; not all steps use it */
    uint32_t index, count; /* of a name, or of constants */
    union {
        struct expr_value constant;
        integers_fn *integers;
        reals_fn *reals;
        values_fn *values;
        int64_t power;
        struct {
            const void *at; /* [count], int64_t or struct expr_text */
            bool has_missing;
        } set; /* the constants in ascending order */
    };
};

struct vectors {
    const struct expr *x;
    const struct expr_batch *batch; /* during a run */
    size_t slots, steps;
    struct slot *slot;
    struct step *step;
    struct expr_text *sorted; /* [constants]: room for the sets of steps */
    void *memory;
};

/* Makes the steps of v->x. Sets *slots to the number of stack entries needed.
 * False: some node has no step. */
bool vectors_make(struct vectors *v, size_t *slots);

/* From so many constants on, a search in sorted ones is faster than comparing a
 * value with each. */
enum { SET_LEAST = 16 };

/* Sorts those of the step's constants that a value of the type can equal, and
 * makes their number s->count. */
void vectors_sort_set(struct vectors *v, struct step *s, enum expr_type type);

/* The functions of steps. Each is compiled for the base instruction set, as
 * step_NAME, and for other sets under other names. vectors_make uses step_NAME.
 */
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
    X(in_integer_set) X(in_real_set) X(in_text_set) X(all_true)
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

/* The function of a step and its version for a better instruction set. A table
 * of pairs ends with NULL. */
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

/* Marks that the slot's values are now in its own `words`. */
static inline bool made(struct slot *s, enum expr_type type)
{
    s->values = s->words;
    s->type = type;
    return true;
}

/* Marks the results of an operation on a and b: a result is missing if either
 * operand is. */
static inline void mark_both(struct slot *a, const struct slot *b, size_t n)
{
    if (!b->has_missing)
        return;
    for (size_t i = 0; i < n; i++)
        a->marks[i] = b->valid[i] & (a->has_missing ? a->valid[i] : 1);
    a->valid = a->marks;
    a->has_missing = true;
}

/* Converts a constant, with which integers are compared, to an integer of 64
 * bits. False: it is not such an integer, so it equals no word. */
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

/* A word that is the same for equal floats, and for those alone, but for NaN.
 */
static inline int64_t word_of_real(double x)
{
    int64_t word;
    memcpy(&word, &x, sizeof word);
    return x == 0 ? 0 : word;
}

/* The order of texts in a set: shorter ones first. */
static inline int compare_in_set(struct expr_text a, struct expr_text b)
{
    if (a.bytes != b.bytes)
        return a.bytes < b.bytes ? -1 : 1;
    return a.bytes ? memcmp(a.at, b.at, a.bytes) : 0;
}
