/* SPDX-License-Identifier: MIT */
/*
 * How numbers are written in a text: the decimal sign, separators of thousands,
 * and characters around a number, such as those of currencies. A cell is first
 * made plain, as number.h reads it. For the host and for device code.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reduce/hd.h"

enum { CSV_STRIP_MAX = 32, CSV_CHAR_MAX = 4 };

struct csv_notation {
    bool used;    /* anything here differs from the plain notation */
    bool parens;  /* `(5)` is -5 */
    char decimal; /* '.' or another byte */
    unsigned char thousands_bytes; /* 0: no separators */
    unsigned char strip_bytes;
    char thousands[CSV_CHAR_MAX]; /* one character of UTF-8 */
    char strip[CSV_STRIP_MAX];    /* characters of UTF-8, one after the other */
};

/* Bytes of the UTF-8 character that starts with this byte; 1 for others. */
HD unsigned csv_char_bytes(char first)
{
    unsigned char c = (unsigned char)first;
    return c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
}

/* Whether the `bytes` at p are the same as those at q. */
HD bool csv_same(const char *p, const char *q, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        if (p[i] != q[i])
            return false;
    }
    return true;
}

/* The bytes at p that belong to no number, at most `left`: a blank or a
 * character of `strip`; at_end: those before p. */
HD unsigned csv_strippable(const struct csv_notation *n, const char *p,
                           size_t left, bool at_end)
{
    if (left == 0)
        return 0;
    char next = at_end ? p[-1] : p[0];
    if (next == ' ' || next == '\t')
        return 1;
    for (unsigned i = 0; i < n->strip_bytes;) {
        unsigned bytes = csv_char_bytes(n->strip[i]);
        if (bytes <= left &&
            csv_same(at_end ? p - bytes : p, n->strip + i, bytes))
            return bytes;
        i += bytes;
    }
    return 0;
}

/* What csv_strip finds around a number. */
struct csv_stripped {
    const char *at, *end; /* what is left: no sign, no blanks at its ends */
    char sign;            /* '-', '+', or 0: none */
    bool ok;              /* parentheses, if any, come as a pair, unsigned */
};

/* Takes the sign and all that may be stripped off a cell's text. */
HD struct csv_stripped csv_strip(const struct csv_notation *n, const char *p,
                                 const char *end)
{
    struct csv_stripped s = {p, end, 0, true};
    bool open = false, closed = false;
    unsigned bytes = 1;
    while (bytes > 0 && s.at < s.end) {
        bytes = csv_strippable(n, s.at, (size_t)(s.end - s.at), false);
        if (bytes == 0 && !s.sign && (*s.at == '-' || *s.at == '+')) {
            s.sign = *s.at;
            bytes = 1;
        } else if (bytes == 0 && n->parens && !open && *s.at == '(') {
            open = true;
            bytes = 1;
        }
        s.at += bytes;
    }
    bytes = 1;
    while (bytes > 0 && s.at < s.end) {
        bytes = csv_strippable(n, s.end, (size_t)(s.end - s.at), true);
        if (bytes == 0 && open && !closed && s.end[-1] == ')') {
            closed = true;
            bytes = 1;
        }
        s.end -= bytes;
    }
    s.ok = open == closed && !(open && s.sign);
    if (open)
        s.sign = '-';
    return s;
}

/* Copies the digits before the decimal sign, without separators of groups of
 * three. Returns where they end; NULL where the groups are not of three. */
HD const char *csv_copy_groups(const struct csv_notation *n, const char *p,
                               const char *end, char **to)
{
    unsigned digits = 0, bytes = n->thousands_bytes;
    bool grouped = false;
    while (p < end) {
        if ((unsigned char)(*p - '0') < 10) {
            *(*to)++ = *p++;
            digits++;
        } else if (bytes > 0 && bytes <= (size_t)(end - p) &&
                   csv_same(p, n->thousands, bytes)) {
            if (grouped ? digits != 3 : digits < 1 || digits > 3)
                return NULL;
            grouped = true;
            digits = 0;
            p += bytes;
        } else {
            break;
        }
    }
    return grouped && digits != 3 ? NULL : p;
}

/*
 * Writes the cell's text [p, end) as a plain number to `to`, which has as many
 * bytes and may be p; returns how many were written, 0 where the text is not
 * in the notation. Words such as nan are copied as they are.
 */
HD size_t csv_make_plain(const struct csv_notation *n, const char *p,
                         const char *end, char *to)
{
    struct csv_stripped s = csv_strip(n, p, end);
    char *out = to;
    if (!s.ok || s.at == s.end)
        return 0;
    if (s.sign)
        *out++ = s.sign;
    const char *rest = csv_copy_groups(n, s.at, s.end, &out);
    if (!rest)
        return 0;
    bool point = rest < s.end && *rest == n->decimal;
    if (point) {
        *out++ = '.';
        rest++;
    }
    for (; rest < s.end; rest++) {
        /* Neither another decimal sign nor a point that is none. */
        if (*rest == '.' || *rest == n->decimal)
            return 0;
        *out++ = *rest;
    }
    return (size_t)(out - to);
}
