/* SPDX-License-Identifier: MIT */
/* Arithmetic of the numbers of a batch, and comparisons. */
#include <math.h>
#include <string.h>

#include "expr/compute.h"
#include "expr/vectors_parts.h"

/* Converts integers to floats. False: f64 cannot hold one of them. */
bool STEP(to_float)(struct vectors *v, const struct step *s, size_t n)
{
    enum { EXACT_BITS = 53 };
    struct slot *to = &v->slot[s->slot];
    const int64_t *from = integers_of(to);
    double *x = (double *)to->words;
    uint64_t beyond = 0;
    for (size_t i = 0; i < n; i++) {
        beyond |=
            ((uint64_t)from[i] + (1ull << EXACT_BITS)) >> (EXACT_BITS + 1);
        x[i] = (double)from[i];
    }
    made(to, EXPR_FLOAT);
    return beyond == 0;
}

/* The result must be a local variable: gcc 12 misses the overflow if the result
 * is stored directly over an operand. */
#define INTEGERS(name, operation)                                          \
    bool STEP(name)(struct vectors * v, const struct step *s, size_t n)    \
    {                                                                      \
        struct slot *to = &v->slot[s->slot];                               \
        const int64_t *a = integers_of(&to[0]), *b = integers_of(&to[1]);  \
        bool is_over = false;                                              \
        for (size_t i = 0; i < n; i++) {                                   \
            int64_t out;                                                   \
            is_over |= __builtin_##operation##_overflow(a[i], b[i], &out); \
            to->words[i] = out;                                            \
        }                                                                  \
        mark_both(&to[0], &to[1], n);                                      \
        return made(to, EXPR_INTEGER) && !is_over;                         \
    }

INTEGERS(add, add)
INTEGERS(subtract, sub)
INTEGERS(multiply, mul)

bool STEP(rest)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *a = integers_of(&to[0]), *b = integers_of(&to[1]);
    bool by_zero = false;
    for (size_t i = 0; i < n; i++) {
        const bool is_plain = b[i] != 0 && b[i] != -1;
        by_zero |= b[i] == 0;
        to->words[i] = is_plain ? a[i] % b[i] : 0;
    }
    mark_both(&to[0], &to[1], n);
    return made(to, EXPR_INTEGER) && !by_zero;
}

/* Any operation on integers without a step of its own. */
bool STEP(integers)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const bool is_unary = expr_operations[s->operation].operands == 1;
    const struct slot *other = is_unary ? &to[0] : &to[1];
    const int64_t *a = integers_of(to), *b = integers_of(other);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        __int128 out = 0;
        ok = !s->integers(a[i], b[i], &out) && out == (int64_t)out;
        to->words[i] = (int64_t)out;
    }
    if (!is_unary)
        mark_both(&to[0], &to[1], n);
    return made(to, EXPR_INTEGER) && ok;
}

bool STEP(integer_power)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *base = integers_of(to);
    bool is_over = false;
    for (size_t i = 0; i < n; i++) {
        int64_t product = 1, square = base[i];
        for (int64_t left = s->power; left > 0; left >>= 1) {
            if (left & 1)
                is_over |= __builtin_mul_overflow(product, square, &product);
            if (left > 1)
                is_over |= __builtin_mul_overflow(square, square, &square);
        }
        to->words[i] = product;
    }
    return made(to, EXPR_INTEGER) && !is_over;
}

/* Operations on floats: x is the first operand, y the second. With one operand,
 * y is x. */
#define REALS(name, operands, compute)                                        \
    bool STEP(name)(struct vectors * v, const struct step *s, size_t n)       \
    {                                                                         \
        struct slot *to = &v->slot[s->slot];                                  \
        const double *a = reals_of(&to[0]), *b = reals_of(&to[(operands)-1]); \
        double *out = (double *)to->words;                                    \
        for (size_t i = 0; i < n; i++) {                                      \
            const double x = a[i], y = b[i];                                  \
            (void)y;                                                          \
            out[i] = compute;                                                 \
        }                                                                     \
        if ((operands) > 1)                                                   \
            mark_both(&to[0], &to[1], n);                                     \
        return made(to, EXPR_FLOAT);                                          \
    }

REALS(add_reals, 2, x + y)
REALS(subtract_reals, 2, x - y)
REALS(multiply_reals, 2, x *y)
REALS(divide_reals, 2, x / y)
REALS(negate_reals, 1, -x)
REALS(abs_reals, 1, fabs(x))
REALS(sqrt_reals, 1, sqrt(x))
REALS(reals, 1, s->reals(x, 0))
REALS(reals_2, 2, s->reals(x, y))

bool STEP(power_reals)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(to);
    double *out = (double *)to->words;
    for (size_t i = 0; s->power == 2 && i < n; i++)
        out[i] = a[i] * a[i];
    for (size_t i = 0; s->power != 2 && i < n; i++)
        out[i] = reals_power(a[i], s->power);
    return made(to, EXPR_FLOAT);
}

/* Runs `loop` with the comparison of the step's operation. */
#define COMPARED(loop)      \
    switch (s->operation) { \
    case OPERATION_EQ:      \
        loop(==) break;     \
    case OPERATION_NE:      \
        loop(!=) break;     \
    case OPERATION_LT:      \
        loop(<) break;      \
    case OPERATION_LE:      \
        loop(<=) break;     \
    case OPERATION_GT:      \
        loop(>) break;      \
    case OPERATION_GE:      \
        loop(>=) break;     \
    }
#define COMPARE(operator)          \
    for (size_t i = 0; i < n; i++) \
        out[i] = a[i] operator b[i];

bool STEP(compare_integers)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const int64_t *a = integers_of(&to[0]), *b = integers_of(&to[1]);
    int64_t *out = to->words;
    COMPARED(COMPARE)
    mark_both(&to[0], &to[1], n);
    return made(to, EXPR_BOOL);
}

bool STEP(compare_reals)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(&to[0]), *b = reals_of(&to[1]);
    int64_t *out = to->words;
    COMPARED(COMPARE)
    mark_both(&to[0], &to[1], n);
    return made(to, EXPR_BOOL);
}

bool STEP(isnan)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(to);
    for (size_t i = 0; i < n; i++)
        to->words[i] = a[i] != a[i];
    return made(to, EXPR_BOOL);
}

bool STEP(isfinite)(struct vectors *v, const struct step *s, size_t n)
{
    struct slot *to = &v->slot[s->slot];
    const double *a = reals_of(to);
    for (size_t i = 0; i < n; i++)
        to->words[i] = a[i] - a[i] == 0;
    return made(to, EXPR_BOOL);
}
