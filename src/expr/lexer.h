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
    TOKEN_NOT, /* the word `not`; ! is TOKEN_BANG */
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
    uint64_t field; /* N of a TOKEN_FIELD */
};

/* Reads the next token. At the start, l->room has as many bytes as the source.
 * Returns false with an error; e may be NULL. */
bool lexer_next(struct lexer *l, struct error *e);

/* A hint for a word of another language, saying what to write instead; NULL:
 * none. */
const char *lexer_hint(struct expr_text word);

/* Reads a text as an f64, as cells of files are read. False: it is not a
 * number. */
bool expr_real(struct expr_text text, double *real);
