/* SPDX-License-Identifier: MIT */
/*
 * Operators and functions: a table with a row for each. To add one, write its
 * row in OPERATIONS and the functions that compute it.
 */
#pragma once

#include "expr/expr.h"

enum expr_takes {
    TAKES_NUMBERS, /* bools too, as 0 and 1 */
    TAKES_BOOLS,
    TAKES_TEXTS,
    TAKES_LIKE, /* all texts, or all numbers and bools */
    TAKES_ANY
};

/* X(id, name, operands, is_function, what it takes, result, computes)
 * The result is a type, or MISSING: the type of the operands. A function of
 * EXPR_MORE operands takes two or more. */
#define OPERATIONS(X)                                                     \
    X(NEGATE, "-", 1, false, NUMBERS, MISSING, BOTH(negate))              \
    X(PLUS, "+", 1, false, NUMBERS, MISSING, BOTH(same))                  \
    X(NOT, "!", 1, false, BOOLS, BOOL, VALUES(not ))                      \
    X(ADD, "+", 2, false, NUMBERS, MISSING, BOTH(add))                    \
    X(SUBTRACT, "-", 2, false, NUMBERS, MISSING, BOTH(subtract))          \
    X(MULTIPLY, "*", 2, false, NUMBERS, MISSING, BOTH(multiply))          \
    X(DIVIDE, "/", 2, false, NUMBERS, FLOAT, REALS(divide))               \
    X(REST, "%", 2, false, NUMBERS, MISSING, BOTH(rest))                  \
    X(POW, "**", 2, false, NUMBERS, FLOAT, REALS(pow))                    \
    X(EQ, "==", 2, false, LIKE, BOOL, VALUES(eq))                         \
    X(NE, "!=", 2, false, LIKE, BOOL, VALUES(ne))                         \
    X(LT, "<", 2, false, LIKE, BOOL, VALUES(lt))                          \
    X(LE, "<=", 2, false, LIKE, BOOL, VALUES(le))                         \
    X(GT, ">", 2, false, LIKE, BOOL, VALUES(gt))                          \
    X(GE, ">=", 2, false, LIKE, BOOL, VALUES(ge))                         \
    X(AND, "&&", 2, false, BOOLS, BOOL, MISSINGS(and))                    \
    X(OR, "||", 2, false, BOOLS, BOOL, MISSINGS(or))                      \
    X(ABS, "abs", 1, true, NUMBERS, MISSING, BOTH(abs))                   \
    X(SQRT, "sqrt", 1, true, NUMBERS, FLOAT, REALS(sqrt))                 \
    X(FLOOR, "floor", 1, true, NUMBERS, MISSING, WHOLE(floor))            \
    X(CEIL, "ceil", 1, true, NUMBERS, MISSING, WHOLE(ceil))               \
    X(TRUNC, "trunc", 1, true, NUMBERS, MISSING, WHOLE(trunc))            \
    X(ROUND, "round", 1, true, NUMBERS, MISSING, WHOLE(round))            \
    X(RINT, "rint", 1, true, NUMBERS, MISSING, WHOLE(rint))               \
    X(MIN, "min", EXPR_MORE, true, NUMBERS, MISSING, BOTH(min))           \
    X(MAX, "max", EXPR_MORE, true, NUMBERS, MISSING, BOTH(max))           \
    X(MOD, "mod", 2, true, NUMBERS, MISSING, BOTH(mod))                   \
    X(GCD, "gcd", EXPR_MORE, true, NUMBERS, MISSING, BOTH(gcd))           \
    X(ISNAN, "isnan", 1, true, NUMBERS, BOOL, VALUES(isnan))              \
    X(ISFINITE, "isfinite", 1, true, NUMBERS, BOOL, VALUES(isfinite))     \
    X(EXP, "exp", 1, true, NUMBERS, FLOAT, REALS(exp))                    \
    X(LOG, "log", 1, true, NUMBERS, FLOAT, REALS(log))                    \
    X(LOG2, "log2", 1, true, NUMBERS, FLOAT, REALS(log2))                 \
    X(LOG10, "log10", 1, true, NUMBERS, FLOAT, REALS(log10))              \
    X(SIN, "sin", 1, true, NUMBERS, FLOAT, REALS(sin))                    \
    X(COS, "cos", 1, true, NUMBERS, FLOAT, REALS(cos))                    \
    X(TAN, "tan", 1, true, NUMBERS, FLOAT, REALS(tan))                    \
    X(ATAN2, "atan2", 2, true, NUMBERS, FLOAT, REALS(atan2))              \
    X(HYPOT, "hypot", 2, true, NUMBERS, FLOAT, REALS(hypot))              \
    X(ISMISSING, "ismissing", 1, true, ANY, BOOL, MISSINGS(ismissing))    \
    X(COALESCE, "coalesce", EXPR_MORE, true, LIKE, MISSING,               \
      MISSINGS(coalesce))                                                 \
    X(STARTSWITH, "startswith", 2, true, TEXTS, BOOL, VALUES(startswith)) \
    X(ENDSWITH, "endswith", 2, true, TEXTS, BOOL, VALUES(endswith))       \
    X(CONTAINS, "contains", 2, true, TEXTS, BOOL, VALUES(contains))       \
    X(LEN, "len", 1, true, TEXTS, INTEGER, VALUES(len))                   \
    X(NUM, "num", 1, true, TEXTS, FLOAT, VALUES(num))                     \
    X(TEXT, "text", 1, true, TEXTS, TEXT, VALUES(text))

/* EXPR_MORE: the function takes two or more operands and is applied to two at a
 * time, from the left. EXPR_OPERANDS: most operands of one application. */
enum { EXPR_MORE = 3, EXPR_OPERANDS = 2 };

enum expr_operation {
#define OPERATION_ENUM(id, ...) OPERATION_##id,
    OPERATIONS(OPERATION_ENUM)
#undef OPERATION_ENUM
        OPERATIONS_END
};

/* Functions that compute *out, from an array a of operands or from a and b.
 * They return NULL, or a message. */
typedef const char *values_fn(const struct expr_value *a,
                              struct expr_value *out);
typedef const char *integers_fn(__int128 a, __int128 b, __int128 *out);
typedef double reals_fn(double a, double b);

struct operation {
    const char *name;
    uint8_t operands;
    bool is_function;
    enum expr_takes takes;
    enum expr_type result;
    /* `values` is called with missing operands, too. Otherwise a missing
     * operand makes the result missing. */
    bool takes_missing;
    /* A row has `values`, or `integers` or `reals` or both. `reals` is called
     * if an operand is a float or `integers` is NULL. */
    values_fn *values;
    integers_fn *integers;
    reals_fn *reals;
};

extern const struct operation expr_operations[OPERATIONS_END];

/* Converts a bool to an integer if `type` is one of numbers, and an integer to
 * a float if it is EXPR_FLOAT. Leaves other values unchanged. False: f64 cannot
 * hold the integer. */
bool expr_convert(struct expr_value *value, enum expr_type type);

/* Applies an operation to its operands. The result replaces the first operand.
 * Returns NULL, or a message. */
const char *expr_apply(enum expr_operation operation, bool is_wide,
                       struct expr_value *operand);

/* Replaces *base by base ** n, which is an integer if the base is one and n >=
 * 0. Returns NULL, or a message. */
const char *expr_power(struct expr_value *base, __int128 n, bool is_wide);

/* Compares two texts, or two numbers or bools; neither is missing. ORDER_NONE:
 * one is NaN. */
enum expr_order { ORDER_LESS, ORDER_EQUAL, ORDER_GREATER, ORDER_NONE };
enum expr_order expr_compare(const struct expr_value *a,
                             const struct expr_value *b);
