/* SPDX-License-Identifier: MIT */
/* Shared by the files of the parser only: parse.c and parse_name.c follow the
 * grammar, and build.c makes the nodes and sets their types. */
#pragma once

#include "expr/lexer.h"
#include "expr/operations.h"

struct parser {
    struct lexer lexer;
    struct expr *x;
    const struct expr_names *names;
    unsigned depth; /* current level of nesting */
    struct error *e;
};

/* A function below that fails returns false and fills p->e. The last operand is
 * always the last node; `left` is the node of the operand before it. `at` is an
 * offset in the expression, for messages. */

bool parser_complain(const struct parser *p, size_t at, const char *text);

/* Reads the next token. */
bool parser_advance(struct parser *p);

/* Reads the next token if the current one is `token`; else reports that `what`
 * is expected. */
bool parser_expect(struct parser *p, enum expr_token token, const char *what);

/* Runs a rule one level of nesting deeper. */
bool parser_nested(struct parser *p, bool (*rule)(struct parser *p));

/* parser_expr: the rule of a whole expression. parser_name: the rule of
 * anything that starts with a name: a column, a function, or a call that the
 * caller knows. */
bool parser_expr(struct parser *p);
bool parser_name(struct parser *p);

static inline bool parser_is_column(const struct lexer *l)
{
    return l->token == TOKEN_NAME || l->token == TOKEN_QUOTED ||
           l->token == TOKEN_FIELD;
}

/* Append a node that pushes a constant, or the value of a name. */
void build_constant(struct parser *p, const struct expr_value *value,
                    size_t at);
void build_name(struct parser *p, const struct expr_column *column, size_t at);

/* Appends a node whose `index` the caller sets later. Returns where the node
 * is. */
size_t build_jump(struct parser *p, enum expr_kind kind, size_t at);

/* Append an operation of the last operands, or its result if they are
 * constants. build_power: the last operand is the exponent. */
bool build_apply(struct parser *p, enum expr_operation operation, size_t left,
                 size_t at);
bool build_power(struct parser *p, size_t left, size_t at);

/* Appends a node that looks for the last operand in the constants from `first`
 * on. */
bool build_in(struct parser *p, size_t first, size_t at);

/* Appends a node that chooses `left` or the last operand. Its type holds the
 * values of both. */
bool build_choice(struct parser *p, size_t left, size_t at);

/* Whether a node's type is bool, or the node is the word `missing`. */
bool build_is_condition(const struct parser *p, size_t node);

static inline size_t build_last(const struct parser *p)
{
    return p->x->nodes - 1;
}
