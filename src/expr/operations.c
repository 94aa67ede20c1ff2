/* SPDX-License-Identifier: MIT */
#include "expr/operations.h"

#include "expr/compute.h"

#define BOTH(name) .integers = integers_##name, .reals = reals_##name
#define REALS(name) .reals = reals_##name
#define WHOLE(name) .integers = integers_same, .reals = reals_##name
#define VALUES(name) .values = values_##name
#define MISSINGS(name) .takes_missing = true, .values = values_##name

const struct operation expr_operations[OPERATIONS_END] = {
#define OPERATION_ROW(id, text, count, function, class, type, ...) \
    [OPERATION_##id] = {.name = text,                              \
                        .operands = count,                         \
                        .is_function = function,                   \
                        .takes = TAKES_##class,                    \
                        .result = EXPR_##type,                     \
                        __VA_ARGS__},
    OPERATIONS(OPERATION_ROW)
#undef OPERATION_ROW
};

static const char is_inexact[] =
    "an integer that a float cannot hold meets a float here";

static const char *overflow(bool is_wide)
{
    return is_wide ? "the integer has over 127 bits here"
                   : "the integer has over 64 bits here";
}

static bool is_too_large(__int128 x, bool is_wide)
{
    return !is_wide && (x > UINT64_MAX || x < INT64_MIN);
}

static void set_integer(struct expr_value *value, __int128 x)
{
    value->type = EXPR_INTEGER;
    value->integer = x;
}

static void set_real(struct expr_value *value, double x)
{
    value->type = EXPR_FLOAT;
    value->real = x;
}

bool expr_convert(struct expr_value *value, enum expr_type type)
{
    const double limit = 0x1p127;
    const bool is_number =
        type == EXPR_INTEGER || type == EXPR_FLOAT || type == EXPR_NUMBER;
    if (is_number && value->type == EXPR_BOOL)
        set_integer(value, value->truth);
    if (type != EXPR_FLOAT || value->type != EXPR_INTEGER)
        return true;
    const __int128 exact = value->integer;
    set_real(value, (double)exact);
    return value->real < limit && (__int128)value->real == exact;
}

static const char *apply_integers(const struct operation *o, bool is_wide,
                                  struct expr_value *operand)
{
    __int128 out, second = o->operands > 1 ? operand[1].integer : 0;
    const char *wrong = o->integers(operand[0].integer, second, &out);
    if (wrong)
        return *wrong ? wrong : overflow(is_wide);
    if (is_too_large(out, is_wide))
        return overflow(is_wide);
    set_integer(operand, out);
    return NULL;
}

static const char *apply_numbers(const struct operation *o, bool is_wide,
                                 struct expr_value *operand)
{
    const size_t n = o->operands > 1 ? 2 : 1;
    bool are_integers = o->integers;
    for (size_t i = 0; i < n; i++) {
        expr_convert(&operand[i], EXPR_NUMBER);
        are_integers = are_integers && operand[i].type == EXPR_INTEGER;
    }
    if (are_integers)
        return apply_integers(o, is_wide, operand);
    for (size_t i = 0; i < n; i++) {
        if (!expr_convert(&operand[i], EXPR_FLOAT))
            return is_inexact;
    }
    set_real(operand, o->reals(operand[0].real, n > 1 ? operand[1].real : 0));
    return NULL;
}

const char *expr_apply(enum expr_operation operation, bool is_wide,
                       struct expr_value *operand)
{
    const struct operation *o = &expr_operations[operation];
    const size_t n = o->operands > 1 ? 2 : 1;
    struct expr_value out;
    for (size_t i = 0; i < n && !o->takes_missing; i++) {
        if (operand[i].type == EXPR_MISSING) {
            operand[0].type = EXPR_MISSING;
            return NULL;
        }
    }
    if (!o->values)
        return apply_numbers(o, is_wide, operand);
    const char *wrong = o->values(operand, &out);
    operand[0] = wrong ? operand[0] : out;
    return wrong;
}

/* Square and multiply, from the exponent's lowest bit on. */
static const char *integer_power(struct expr_value *base, __int128 n,
                                 bool is_wide)
{
    __int128 square = base->integer, product = 1;
    bool is_over = false;
    for (; n > 0; n >>= 1) {
        if (n & 1)
            is_over |= __builtin_mul_overflow(product, square, &product);
        /* A higher bit uses this square, so its overflow counts. */
        if (n > 1)
            is_over |= __builtin_mul_overflow(square, square, &square);
    }
    if (is_over || is_too_large(product, is_wide))
        return overflow(is_wide);
    set_integer(base, product);
    return NULL;
}

const char *expr_power(struct expr_value *base, __int128 n, bool is_wide)
{
    if (base->type == EXPR_MISSING)
        return NULL;
    expr_convert(base, EXPR_NUMBER);
    if (base->type == EXPR_INTEGER && n >= 0)
        return integer_power(base, n, is_wide);
    if (!expr_convert(base, EXPR_FLOAT))
        return is_inexact;
    set_real(base, reals_power(base->real, n));
    return NULL;
}
