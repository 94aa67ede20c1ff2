/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "expr/parser.h"

static struct expr_node *push(struct parser *p, enum expr_kind kind,
                              enum expr_type type, size_t at)
{
    struct expr_node *node = &p->x->node[p->x->nodes++];
    *node = (struct expr_node){
        .kind = (uint8_t)kind, .type = (uint8_t)type, .at = (uint32_t)at};
    return node;
}

void build_constant(struct parser *p, const struct expr_value *value, size_t at)
{
    struct expr_node *node = push(p, EXPR_CONSTANT, value->type, at);
    node->index = (uint32_t)p->x->constants;
    p->x->constant[p->x->constants++] = *value;
}

void build_name(struct parser *p, const struct expr_column *column, size_t at)
{
    struct expr_node *node = push(p, EXPR_NAME, column->type, at);
    node->index = column->index;
    node->may_be_text = column->may_be_text;
}

size_t build_jump(struct parser *p, enum expr_kind kind, size_t at)
{
    push(p, kind, EXPR_MISSING, at);
    return build_last(p);
}

static enum expr_type type_of(const struct parser *p, size_t node)
{
    return (enum expr_type)p->x->node[node].type;
}

static bool is_text(const struct parser *p, size_t node)
{
    return type_of(p, node) == EXPR_TEXT;
}

/* Changes a node to text if it is a column that may be read as text. Returns
 * false if the node is then neither a text nor the word `missing`. */
static bool make_text(struct parser *p, size_t i)
{
    struct expr_node *node = &p->x->node[i];
    if (node->kind == EXPR_NAME && node->may_be_text)
        node->type = EXPR_TEXT;
    return node->type == EXPR_TEXT || node->type == EXPR_MISSING;
}

/* The type that holds values of both types, which are both texts or both
 * numbers or bools. */
static enum expr_type common(enum expr_type a, enum expr_type b)
{
    if (a == b || b == EXPR_MISSING)
        return a;
    if (a == EXPR_MISSING)
        return b;
    if (a == EXPR_FLOAT || b == EXPR_FLOAT)
        return EXPR_FLOAT;
    return a == EXPR_NUMBER || b == EXPR_NUMBER ? EXPR_NUMBER : EXPR_INTEGER;
}

static bool complain_of(const struct parser *p, const struct operation *o,
                        size_t at, const char *takes)
{
    return expr_complain(&p->x->source, at, ERROR_USAGE, p->e, "%s%s %s",
                         o->name, o->is_function ? "()" : "", takes);
}

/* Checks that the last two operands are both texts, or neither is. */
static bool check_alike(struct parser *p, size_t left)
{
    const size_t right = build_last(p);
    if (is_text(p, left) || is_text(p, right))
        return make_text(p, left) && make_text(p, right);
    return true;
}

static const char condition[] =
    "takes what is true or false, as x > 0, and not a number or a text";

bool build_is_condition(const struct parser *p, size_t node)
{
    return type_of(p, node) == EXPR_BOOL || type_of(p, node) == EXPR_MISSING;
}

static bool check_operands(struct parser *p, const struct operation *o,
                           size_t left, size_t at)
{
    const size_t operand[EXPR_OPERANDS] = {build_last(p), left};
    if (o->takes == TAKES_LIKE && !check_alike(p, left))
        return complain_of(p, o, at,
                           "takes two numbers or two texts; num() makes a "
                           "number of a text");
    for (size_t i = 0; i < (o->operands > 1 ? 2 : 1); i++) {
        if (o->takes == TAKES_NUMBERS && is_text(p, operand[i]))
            return complain_of(p, o, at, "takes numbers, and not a text");
        if (o->takes == TAKES_TEXTS && !make_text(p, operand[i]))
            return complain_of(p, o, at, "takes texts, and not a number");
        if (o->takes == TAKES_BOOLS && !build_is_condition(p, operand[i]))
            return complain_of(p, o, at, condition);
    }
    return true;
}

static enum expr_type result_of(const struct parser *p,
                                const struct operation *o, size_t left)
{
    const enum expr_type right = type_of(p, build_last(p));
    enum expr_type type =
        o->operands > 1 ? common(type_of(p, left), right) : right;
    if (o->result != EXPR_MISSING)
        return o->result;
    return o->takes == TAKES_NUMBERS && type == EXPR_BOOL ? EXPR_INTEGER : type;
}

/* Whether the last n nodes are constants. If so, their values are the last n of
 * x->constant. */
static bool are_constants(const struct parser *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (p->x->node[build_last(p) - i].kind != EXPR_CONSTANT)
            return false;
    }
    return true;
}

/* Replaces the last n constants by one of this value. */
static void fold(struct parser *p, size_t n, const struct expr_value *value,
                 size_t at)
{
    p->x->nodes -= n;
    p->x->constants -= n;
    build_constant(p, value, at);
}

/* Computes an operation on constants while parsing. Returns false if that
 * fails, without an error: only a record that needs the value fails. */
static bool apply_now(struct parser *p, enum expr_operation operation, size_t n,
                      enum expr_type type, size_t at)
{
    struct expr_value operand[EXPR_OPERANDS];
    if (!are_constants(p, n))
        return false;
    memcpy(operand, &p->x->constant[p->x->constants - n], n * sizeof *operand);
    if (expr_apply(operation, p->x->source.is_wide, operand) ||
        !expr_convert(operand, type))
        return false;
    fold(p, n, operand, at);
    return true;
}

bool build_apply(struct parser *p, enum expr_operation operation, size_t left,
                 size_t at)
{
    const struct operation *o = &expr_operations[operation];
    if (!check_operands(p, o, left, at))
        return false;
    const enum expr_type type = result_of(p, o, left);
    if (!apply_now(p, operation, o->operands > 1 ? 2 : 1, type, at))
        push(p, EXPR_APPLY, type, at)->operation = (uint8_t)operation;
    return true;
}

static bool power_now(struct parser *p, __int128 n, size_t at)
{
    if (!are_constants(p, 2))
        return false;
    struct expr_value base = p->x->constant[p->x->constants - 2];
    if (expr_power(&base, n, p->x->source.is_wide))
        return false;
    fold(p, 2, &base, at);
    return true;
}

/* A constant integer exponent is part of the node, not an operand. */
bool build_power(struct parser *p, size_t left, size_t at)
{
    const struct expr_node exponent = p->x->node[build_last(p)];
    const bool is_fixed =
        exponent.kind == EXPR_CONSTANT && exponent.type == EXPR_INTEGER;
    if (!is_fixed || is_text(p, left))
        return build_apply(p, OPERATION_POW, left, at);
    const __int128 n = p->x->constant[exponent.index].integer;
    if (power_now(p, n, at))
        return true;
    p->x->nodes--;
    enum expr_type type = type_of(p, left);
    if (type == EXPR_BOOL)
        type = EXPR_INTEGER;
    push(p, EXPR_POWER, n < 0 ? EXPR_FLOAT : type, at)->index = exponent.index;
    return true;
}

bool build_in(struct parser *p, size_t first, size_t at)
{
    const size_t value = build_last(p), count = p->x->constants - first;
    bool has_text = is_text(p, value), alike = true;
    for (size_t i = 0; i < count; i++)
        has_text |= p->x->constant[first + i].type == EXPR_TEXT;
    for (size_t i = 0; has_text && i < count; i++) {
        enum expr_type type = p->x->constant[first + i].type;
        alike &= type == EXPR_TEXT || type == EXPR_MISSING;
    }
    if (!alike || (has_text && !make_text(p, value)))
        return parser_complain(p, at, "in takes all numbers or all texts");
    struct expr_node *node = push(p, EXPR_IN, EXPR_BOOL, at);
    node->index = (uint32_t)first;
    node->count = (uint32_t)count;
    return true;
}

bool build_choice(struct parser *p, size_t left, size_t at)
{
    if (!check_alike(p, left))
        return parser_complain(p, at,
                               "? chooses from two numbers or two texts; num() "
                               "makes a number of a text");
    push(p, EXPR_CHOICE, common(type_of(p, left), type_of(p, build_last(p))),
         at);
    return true;
}
