/* SPDX-License-Identifier: MIT */
/* What the two halves of the lexer share: lexer.c and literal.c. */
#pragma once

#include "expr/lexer.h"

static inline bool byte_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool byte_starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static inline bool byte_is_in_name(char c)
{
    return byte_starts_name(c) || byte_is_digit(c) || c == '.';
}

/* The byte at `at`; 0 past the end. No byte of the source is 0. */
static inline char lexer_peek(const struct lexer *l, size_t at)
{
    return at < l->source->bytes ? l->source->text[at] : '\0';
}

/* Each reads the token that starts at l->at. On entry, l->next equals l->at for
 * a number; for a text or a quoted name it is after the opening quote. */
bool lexer_read_number(struct lexer *l, struct error *e);
bool lexer_read_text(struct lexer *l, struct error *e);
bool lexer_read_quoted(struct lexer *l, struct error *e);

bool lexer_complain(const struct lexer *l, size_t at, struct error *e,
                    const char *text);
