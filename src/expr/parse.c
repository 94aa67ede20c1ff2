/* SPDX-License-Identifier: MIT */
/* The grammar: a table of operators, and a function for each other rule. */
#include <stdlib.h>

#include "expr/parser.h"

/* Precedence, from the loosest to the tightest. */
enum level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARE,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY
};

static const struct binary {
    enum expr_token token;
    enum level level;
    enum expr_operation operation;
} binaries[] = {
    {TOKEN_OR, LEVEL_OR, OPERATION_OR},
    {TOKEN_AND, LEVEL_AND, OPERATION_AND},
    {TOKEN_EQ, LEVEL_COMPARE, OPERATION_EQ},
    {TOKEN_NE, LEVEL_COMPARE, OPERATION_NE},
    {TOKEN_LT, LEVEL_COMPARE, OPERATION_LT},
    {TOKEN_LE, LEVEL_COMPARE, OPERATION_LE},
    {TOKEN_GT, LEVEL_COMPARE, OPERATION_GT},
    {TOKEN_GE, LEVEL_COMPARE, OPERATION_GE},
    {TOKEN_PLUS, LEVEL_SUM, OPERATION_ADD},
    {TOKEN_MINUS, LEVEL_SUM, OPERATION_SUBTRACT},
    {TOKEN_TIMES, LEVEL_PRODUCT, OPERATION_MULTIPLY},
    {TOKEN_DIVIDE, LEVEL_PRODUCT, OPERATION_DIVIDE},
    {TOKEN_REST, LEVEL_PRODUCT, OPERATION_REST},
    /* Prefix operators. */
    {TOKEN_BANG, LEVEL_UNARY, OPERATION_NOT},
    {TOKEN_MINUS, LEVEL_UNARY, OPERATION_NEGATE},
    {TOKEN_PLUS, LEVEL_UNARY, OPERATION_PLUS},
};

static bool parse_level(struct parser *p, enum level level);

bool parser_complain(const struct parser *p, size_t at, const char *text)
{
    return expr_complain(&p->x->source, at, ERROR_USAGE, p->e, "%s", text);
}

bool parser_advance(struct parser *p)
{
    return lexer_next(&p->lexer, p->e);
}

/* Reports that `what` is expected in place of the current token. */
static bool expected(struct parser *p, const char *what)
{
    const struct lexer *l = &p->lexer;
    const char *hint = l->token == TOKEN_NAME ? lexer_hint(l->name) : NULL;
    if (hint)
        return parser_complain(p, l->at, hint);
    return expr_complain(
        l->source, l->at, ERROR_USAGE, p->e, "expected %s%s", what,
        l->token == TOKEN_END ? ", but the expression ends" : "");
}

bool parser_expect(struct parser *p, enum expr_token token, const char *what)
{
    return p->lexer.token == token ? parser_advance(p) : expected(p, what);
}

bool parser_nested(struct parser *p, bool (*rule)(struct parser *p))
{
    if (p->depth == EXPR_DEPTH)
        return parser_complain(p, p->lexer.at, "nested over 64 levels deep");
    p->depth++;
    bool ok = rule(p);
    p->depth--;
    return ok;
}

static const struct binary *binary_of(const struct parser *p, enum level level)
{
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++) {
        if (binaries[i].level == level && binaries[i].token == p->lexer.token)
            return &binaries[i];
    }
    return NULL;
}

/* Parses the operator that is the current token, and its right operand. */
static bool parse_right(struct parser *p, const struct binary *binary)
{
    const size_t left = build_last(p), at = p->lexer.at;
    const bool decides = binary->level <= LEVEL_AND;
    size_t jump = 0;
    if (decides)
        jump = build_jump(
            p, binary->level == LEVEL_OR ? EXPR_OR_ELSE : EXPR_AND_THEN, at);
    if (!parser_advance(p) || !parse_level(p, binary->level + 1) ||
        !build_apply(p, binary->operation, left, at))
        return false;
    if (decides)
        p->x->node[jump].index = (uint32_t)p->x->nodes;
    return true;
}

/* Parses operators of one level, from left to right. */
static bool parse_chain(struct parser *p, enum level level)
{
    const struct binary *binary;
    if (!parse_level(p, level + 1))
        return false;
    while ((binary = binary_of(p, level))) {
        if (!parse_right(p, binary))
            return false;
    }
    return true;
}

static bool parse_primary(struct parser *p)
{
    if (parser_is_column(&p->lexer))
        return parser_name(p);
    if (p->lexer.token == TOKEN_OPEN)
        return parser_advance(p) && parser_nested(p, parser_expr) &&
               parser_expect(p, TOKEN_CLOSE, "an operator or ')'");
    if (p->lexer.token != TOKEN_LITERAL)
        return expected(p, "a value");
    build_constant(p, &p->lexer.value, p->lexer.at);
    return parser_advance(p);
}

static bool parse_unary(struct parser *p)
{
    const struct binary *sign = binary_of(p, LEVEL_UNARY);
    const size_t at = p->lexer.at;
    if (sign)
        return parser_advance(p) && parser_nested(p, parse_unary) &&
               build_apply(p, sign->operation, 0, at);
    if (!parse_primary(p))
        return false;
    const size_t left = build_last(p), power = p->lexer.at;
    return p->lexer.token != TOKEN_POWER ||
           (parser_advance(p) && parser_nested(p, parse_unary) &&
            build_power(p, left, power));
}

/* Parses an item of a list: a literal with an optional sign. */
static bool parse_item(struct parser *p)
{
    const struct binary *sign = binary_of(p, LEVEL_UNARY);
    const size_t at = p->lexer.at;
    if (sign && (sign->operation == OPERATION_NOT || !parser_advance(p)))
        return expected(p, "a literal");
    if (p->lexer.token != TOKEN_LITERAL)
        return expected(p, "a literal");
    struct expr_value value = p->lexer.value;
    if (sign && value.type != EXPR_INTEGER && value.type != EXPR_FLOAT)
        return expected(p, "a number");
    if (sign && expr_apply(sign->operation, p->x->source.is_wide, &value))
        return parser_complain(p, at, "an integer of over 64 bits");
    p->x->constant[p->x->constants++] = value;
    return parser_advance(p);
}

/* Parses `in` or `not in` and its list. The current token is the first word. */
static bool parse_in(struct parser *p)
{
    const bool is_not = p->lexer.token == TOKEN_NOT;
    const size_t at = p->lexer.at, first = p->x->constants;
    if ((is_not && !parser_advance(p)) ||
        !parser_expect(p, TOKEN_IN, "in after not"))
        return false;
    if (p->lexer.token != TOKEN_OPEN)
        return expected(p, "'(' after in");
    do {
        if (!parser_advance(p) || !parse_item(p))
            return false;
    } while (p->lexer.token == TOKEN_COMMA);
    return parser_expect(p, TOKEN_CLOSE, "',' or ')'") &&
           build_in(p, first, at) &&
           (!is_not || build_apply(p, OPERATION_NOT, 0, at));
}

static bool parse_compare(struct parser *p)
{
    const struct binary *binary;
    if (!parse_level(p, LEVEL_SUM))
        return false;
    if (p->lexer.token == TOKEN_NOT || p->lexer.token == TOKEN_IN)
        return parse_in(p);
    if (!(binary = binary_of(p, LEVEL_COMPARE)))
        return true;
    if (!parse_right(p, binary))
        return false;
    return !binary_of(p, LEVEL_COMPARE) ||
           parser_complain(p, p->lexer.at,
                           "comparisons do not chain; join two of them by &&");
}

static bool parse_not(struct parser *p)
{
    const size_t at = p->lexer.at;
    if (p->lexer.token != TOKEN_NOT)
        return parse_compare(p);
    return parser_advance(p) && parser_nested(p, parse_not) &&
           build_apply(p, OPERATION_NOT, 0, at);
}

static bool parse_level(struct parser *p, enum level level)
{
    return level == LEVEL_NOT       ? parse_not(p)
           : level == LEVEL_COMPARE ? parse_compare(p)
           : level == LEVEL_UNARY   ? parse_unary(p)
                                    : parse_chain(p, level);
}

/* Parses a value or, if ? follows, a condition and the two values to choose
 * from. */
bool parser_expr(struct parser *p)
{
    if (!parse_level(p, LEVEL_OR))
        return false;
    if (p->lexer.token != TOKEN_ASK)
        return true;
    const size_t at = p->lexer.at;
    if (!build_is_condition(p, build_last(p)))
        return parser_complain(p, at,
                               "? takes what is true or false, as x > 0, and "
                               "not a number or a text");
    const size_t jump = build_jump(p, EXPR_IF, at);
    if (!parser_advance(p) || !parser_nested(p, parser_expr) ||
        !parser_expect(p, TOKEN_COLON, "':' after ?"))
        return false;
    const size_t left = build_last(p);
    const size_t leave = build_jump(p, EXPR_ELSE, at);
    p->x->node[jump].index = (uint32_t)p->x->nodes;
    if (!parser_nested(p, parser_expr) || !build_choice(p, left, at))
        return false;
    p->x->node[leave].index = (uint32_t)build_last(p);
    return true;
}

/* Allocates enough for any expression: each literal makes at most one constant,
 * and each byte at most two nodes. */
static bool make_room(struct expr *x, struct error *e)
{
    const size_t bytes = x->source.bytes + 1;
    x->node = calloc(bytes, 2 * sizeof *x->node);
    x->constant = calloc(bytes, sizeof *x->constant);
    x->bytes = calloc(bytes, 1);
    return (x->node && x->constant && x->bytes) || error_memory(e);
}

static bool parse_all(struct parser *p, bool is_condition)
{
    if (!parser_advance(p) || !parser_expr(p))
        return false;
    if (p->lexer.token == TOKEN_CLOSE)
        return parser_complain(p, p->lexer.at, "this ')' closes nothing");
    if (p->lexer.token != TOKEN_END)
        return expected(p, "an operator");
    p->x->type = (enum expr_type)p->x->node[build_last(p)].type;
    return !is_condition || build_is_condition(p, build_last(p)) ||
           parser_complain(p, p->x->node[build_last(p)].at,
                           "this is not true or false; compare it with "
                           "something, as in x > 0");
}

bool expr_parse(struct expr *x, struct expr_source source, bool is_condition,
                const struct expr_names *names, struct error *e)
{
    *x = (struct expr){.source = source};
    if (source.bytes > EXPR_BYTES)
        return error_set(e, ERROR_USAGE,
                         "%s: the expression is longer than 64 KiB",
                         source.option);
    if (!make_room(x, e)) {
        expr_free(x);
        return false;
    }
    struct parser p = {.lexer = {.source = &x->source, .room = x->bytes},
                       .x = x,
                       .names = names,
                       .e = e};
    bool ok = parse_all(&p, is_condition);
    if (!ok)
        expr_free(x);
    return ok;
}

void expr_free(struct expr *x)
{
    free(x->node);
    free(x->constant);
    free(x->bytes);
}
