/* SPDX-License-Identifier: MIT */
/* The parser's two halves: parse.c and parse_name.c follow the grammar, and
 * build.c makes the nodes and fixes their types. For these alone. */
#pragma once

#include "expr/lexer.h"
#include "expr/operations.h"

struct parser {
    struct lexer lexer;
    struct expr *x;
    const struct expr_names *names;
    unsigned depth;
    struct error *e;
};

/* All of these return false with the error filled. The last operand is always
 * the last node; `left` is the node of the one before it. */

bool parser_complain(const struct parser *p, size_t at, const char *text);

/* Reads the next token. */
bool parser_advance(struct parser *p);

/* The current token is not what the grammar takes here. Returns false. */
bool parser_expected(struct parser *p, const char *what);

/* Reads the next token if the current one is this. */
bool parser_expect(struct parser *p, enum expr_token token, const char *what);

/* Runs a rule one level deeper. */
bool parser_nested(struct parser *p, bool (*rule)(struct parser *p));

/* The rule expr, and what starts with a name. */
bool parser_expr(struct parser *p);
bool parser_name(struct parser *p);

static inline bool parser_is_column(const struct lexer *l)
{
    return l->token == TOKEN_NAME || l->token == TOKEN_QUOTED ||
           l->token == TOKEN_FIELD;
}

void build_constant(struct parser *p, const struct expr_value *value,
                    size_t at);
void build_name(struct parser *p, const struct expr_column *column, size_t at);

/* Appends a node whose index is known later, and returns its own. */
size_t build_jump(struct parser *p, enum expr_kind kind, size_t at);

bool build_apply(struct parser *p, enum expr_operation operation, size_t left,
                 size_t at);
bool build_power(struct parser *p, size_t left, size_t at);

/* Of the constants from `first` on. */
bool build_in(struct parser *p, size_t first, size_t at);

/* Either value, of the type of both. */
bool build_choice(struct parser *p, size_t left, size_t at);

/* Whether a node is true or false, or the word `missing`. */
bool build_is_condition(const struct parser *p, size_t node);

static inline size_t build_last(const struct parser *p)
{
    return p->x->nodes - 1;
}
