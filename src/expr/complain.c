/* SPDX-License-Identifier: MIT */
/* Messages that show the expression and a place in it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "expr/expr.h"

/* Columns shown before and after the caret; bytes for a character as shown. */
enum { BEFORE = 52, AFTER = 24, PIECE = 8 };

/* Writes the character at `at` as it is shown, with backslashes as they were
 * typed. Returns its bytes in the source. */
static size_t show(char piece[PIECE], const struct expr_source *s, size_t at)
{
    if (s->text[at] == '\\') {
        memcpy(piece, "\\", 2);
        return 1;
    }
    return escape_next(piece, s->text + at, s->bytes - at);
}

/* Columns on a terminal: a UTF-8 character takes one. */
static size_t width(const char *piece)
{
    size_t columns = 0;
    for (; *piece; piece++)
        columns += (*piece & 0xc0) != 0x80;
    return columns;
}

/* The byte to begin with, so that at most BEFORE columns lead to `at`. */
static size_t window_start(const struct expr_source *s, size_t at)
{
    char piece[PIECE];
    size_t columns = 0, start = 0;
    for (size_t i = 0; i < at; i += show(piece, s, i)) {
        show(piece, s, i);
        columns += width(piece);
    }
    while (start < at && columns > BEFORE) {
        start += show(piece, s, start);
        columns -= width(piece);
    }
    return start;
}

/* Writes the expression around `at`; returns the column of the caret. */
static size_t put_window(char *out, const struct expr_source *s, size_t at)
{
    char piece[PIECE];
    size_t i = window_start(s, at), caret = 0;
    size_t columns = i ? strlen("...") : 0;
    out = stpcpy(out, i ? "..." : "");
    while (i < s->bytes && (i <= at || columns < caret + AFTER)) {
        if (i <= at)
            caret = columns;
        i += show(piece, s, i);
        columns += width(piece);
        out = stpcpy(out, piece);
    }
    stpcpy(out, i < s->bytes ? "..." : "");
    return at < s->bytes ? caret : columns;
}

bool expr_complain(const struct expr_source *source, size_t at,
                   enum error_kind kind, struct error *e, const char *format,
                   ...)
{
    char message[2 * QUOTE_MAX];
    char window[PIECE * (BEFORE + AFTER + 8)];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    size_t caret = put_window(window, source, at);
    return error_set(e, kind, "%s: %s\n  %s\n  %*s^", source->option, message,
                     window, (int)caret, "");
}
