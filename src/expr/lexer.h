/* SPDX-License-Identifier: MIT */
/* An expression as tokens. For the parser. */
#pragma once

#include "expr/expr.h"

enum expr_token {
    TOKEN_END,
    TOKEN_LITERAL, /* a number, a text, true, false, nan, inf, missing */
    TOKEN_NAME,    /* a bare name: a column or a function */
    TOKEN_QUOTED,  /* `a name` */
    TOKEN_FIELD,   /* $N */
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_ASK,
    TOKEN_COLON,
    TOKEN_NOT, /* the word; ! is TOKEN_BANG */
    TOKEN_IN,
    TOKEN_BANG,
    /* Operators of two operands. */
    TOKEN_OR,
    TOKEN_AND,
    TOKEN_EQ,
    TOKEN_NE,
    TOKEN_LT,
    TOKEN_LE,
    TOKEN_GT,
    TOKEN_GE,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_DIVIDE,
    TOKEN_REST,
    TOKEN_POWER
};

struct lexer {
    const struct expr_source *source;
    char *room;  /* for texts and names without their escapes */
    size_t next; /* byte after the token */
    /* The current token. */
    enum expr_token token;
    size_t at;
    struct expr_value value; /* of a literal */
    struct expr_text name;
    uint64_t field; /* of $N */
};

/* Reads the next token. `room` has a byte for each of the source. */
bool lexer_next(struct lexer *l, struct error *e);

/* What to say about a word that is not part of the language, though of others;
 * or NULL. */
const char *lexer_hint(struct expr_text word);

/* The f64 that a text stands for, as a cell of a file does. False where it is
 * not a number. */
bool expr_real(struct expr_text text, double *real);
