/* SPDX-License-Identifier: MIT */
#include "base/quote.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Decodes the UTF-8 character at s into *c. Returns its length in bytes; 0 if
 * the bytes are not valid UTF-8. */
static size_t utf8_decode(const unsigned char *s, size_t left, uint32_t *c)
{
    *c = s[0];
    if (s[0] < 0x80)
        return 1;
    size_t n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || n > left)
        return 0;
    *c = s[0] & (0x7f >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        *c = *c << 6 | (s[i] & 0x3f);
    }
    bool overlong = (n == 3 && *c < 0x800) || (n == 4 && *c < 0x10000);
    bool invalid = *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000);
    return overlong || invalid ? 0 : n;
}

size_t utf8_length(const char *text, size_t left)
{
    uint32_t c;
    return utf8_decode((const unsigned char *)text, left, &c);
}

/* C1 controls (U+0080 to U+009F) are control bytes to a terminal, too. */
static bool is_printable(uint32_t c)
{
    /* Line and direction marks can forge what the terminal shows. */
    bool mark = (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
                c == 0x200e || c == 0x200f || c == 0x061c;
    return c >= 0x20 && (c < 0x7f || c >= 0xa0) && !mark;
}

/* Writes the first character of text to out, as an escape where it needs one.
 * Returns how many bytes of text it takes. `quotes`: single quotes need one. */
static size_t piece(char out[8], const char *text, size_t left, bool quotes)
{
    const unsigned char *s = (const unsigned char *)text;
    uint32_t c;
    size_t n = utf8_decode(s, left, &c);
    if (s[0] == '\n' || s[0] == '\t' || s[0] == '\\' ||
        (quotes && s[0] == '\'')) {
        char letter = s[0] == '\n' ? 'n' : s[0] == '\t' ? 't' : (char)s[0];
        snprintf(out, 8, "\\%c", letter);
        return 1;
    }
    if (n == 0 || !is_printable(c)) {
        snprintf(out, 8, "\\x%02x", s[0]);
        return 1;
    }
    memcpy(out, s, n);
    out[n] = '\0';
    return n;
}

/* Appends text, with escapes, to the `used` bytes of out. Text that does not
 * fit ends in "..."; a closing quote and the NUL always fit after it. Returns
 * the bytes used. */
static size_t put_pieces(char out[QUOTE_MAX], size_t used, const char *text,
                         size_t length, bool quotes)
{
    for (size_t i = 0; i < length;) {
        char part[8];
        size_t step = piece(part, text + i, length - i, quotes);
        size_t n = strlen(part);
        if (used + n + 5 > QUOTE_MAX) {
            memcpy(out + used, "...", 3);
            return used + 3;
        }
        memcpy(out + used, part, n);
        used += n;
        i += step;
    }
    return used;
}

const char *quote_bytes(char out[QUOTE_MAX], const char *text, size_t length)
{
    size_t used;
    out[0] = '\'';
    used = put_pieces(out, 1, text, length, true);
    out[used++] = '\'';
    out[used] = '\0';
    return out;
}

const char *quote(char out[QUOTE_MAX], const char *text)
{
    return quote_bytes(out, text, strlen(text));
}

const char *escape_bytes(char out[QUOTE_MAX], const char *text, size_t length)
{
    out[put_pieces(out, 0, text, length, false)] = '\0';
    return out;
}

const char *escape(char out[QUOTE_MAX], const char *text)
{
    return escape_bytes(out, text, strlen(text));
}

size_t escape_none(const char *text, size_t left)
{
    size_t n = 0;
    while (n < left && text[n] >= ' ' && text[n] <= '~' && text[n] != '\\' &&
           text[n] != '"')
        n++;
    return n;
}

size_t escape_next(char out[8], const char *text, size_t left)
{
    return left > 0 ? piece(out, text, left, false) : 0;
}

size_t escape_json(char out[8], const char *text, size_t left)
{
    uint32_t c;
    if (left == 0)
        return 0;
    if (text[0] == '"') {
        memcpy(out, "\\\"", 3);
        return 1;
    }
    if (text[0] == '\n' || text[0] == '\t' || text[0] == '\\')
        return piece(out, text, left, false);
    const size_t n = utf8_decode((const unsigned char *)text, left, &c);
    if (n == 0 || !is_printable(c)) {
        /* Valid characters that are not printable are below U+10000. */
        snprintf(out, 8, "\\u%04x", n ? c : 0xfffd);
        return n ? n : 1;
    }
    memcpy(out, text, n);
    out[n] = '\0';
    return n;
}
