/* SPDX-License-Identifier: MIT */
/*
 * How numbers are written in a text: the decimal mark, the thousands separator,
 * and characters around a number such as currency signs. csv_make_plain
 * rewrites a cell in this notation as a plain number, which number.h reads. For
 * the host and for device code.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reduce/hd.h"

enum { CSV_STRIP_MAX = 32, CSV_CHAR_MAX = 4 };

struct csv_notation {
    bool used;    /* something below differs from the plain notation */
    bool parens;  /* `(5)` is -5 */
    char decimal; /* '.' or another byte */
    unsigned char thousands_bytes; /* length of `thousands`; 0: no separator */
    unsigned char strip_bytes;     /* length of `strip` */
    char thousands[CSV_CHAR_MAX];  /* the separator, one character of UTF-8 */
    char strip[CSV_STRIP_MAX]; /* characters of UTF-8, one after the other */
};

/* Sets the decimal mark and the separator of thousands. */
static inline void csv_set_marks(struct csv_notation *n, char decimal,
                                 char thousands)
{
    n->used = true;
    n->decimal = decimal;
    n->thousands_bytes = 1;
    n->thousands[0] = thousands;
}

/* Bytes of the UTF-8 character that starts with this byte; 1 for a byte that
 * starts none. */
HD unsigned csv_char_bytes(char first)
{
    unsigned char c = (unsigned char)first;
    return c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
}

HD bool csv_same(const char *p, const char *q, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        if (p[i] != q[i])
            return false;
    }
    return true;
}

/* The length in bytes, at most `left`, of the blank or `strip` character at p;
 * 0: none is there. at_end: looks at the bytes before p instead. */
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

/* What csv_strip leaves of a cell. */
struct csv_stripped {
    /* The text without the sign and stripped characters. */
    const char *at, *end;
    char sign; /* '-', '+', or 0: no sign */
    /* Parentheses are absent, or a pair around a number without a sign. */
    bool ok;
};

/* Strips blanks, `strip` characters, the sign and parentheses off a cell's
 * text. */
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

/* Copies the digits before the decimal mark without thousands separators.
 * Returns where they end; NULL where a group does not have three digits. */
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
 * Writes the cell's text [p, end) as a plain number to `to`, which holds as
 * many bytes and may be p. Returns the bytes written; 0 where the text is not
 * in the notation. Copies words such as nan unchanged.
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
        /* A second decimal mark, or a point that is not the decimal mark, makes
         * the cell bad. */
        if (*rest == '.' || *rest == n->decimal)
            return 0;
        *out++ = *rest;
    }
    return (size_t)(out - to);
}
