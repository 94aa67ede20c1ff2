/* SPDX-License-Identifier: MIT */
/* Splits an expression into tokens. For the parser. */
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
    char *room;  /* the next free byte for texts and names without escapes */
    size_t next; /* offset after the current token */
    enum expr_token token;   /* the current one */
    size_t at;               /* its offset */
    struct expr_value value; /* of a TOKEN_LITERAL */
    struct expr_text name;
    uint64_t field; /* of $N */
};

/* Reads the next token. `room` has a byte for each of the source. False, with
 * the error, which may be NULL. */
bool lexer_next(struct lexer *l, struct error *e);

/* What to write instead of a word that other languages have, or NULL. */
const char *lexer_hint(struct expr_text word);

/* Reads a text as f64, as a cell of a file is. False: it is not a number. */
bool expr_real(struct expr_text text, double *real);
