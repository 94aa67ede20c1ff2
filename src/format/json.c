/* SPDX-License-Identifier: MIT */
#include "format/json.h"

#include <string.h>

#include "base/quote.h"

enum { DEPTH_MAX = 64 };

static bool wrong(struct json *j, const char *what)
{
    j->wrong = what;
    return false;
}

static void skip_blanks(struct json *j)
{
    while (j->at < j->end && (*j->at == ' ' || *j->at == '\n' ||
                              *j->at == '\t' || *j->at == '\r'))
        j->at++;
}

/* The next character that is not blank; 0 at the end. */
static char peek(struct json *j)
{
    skip_blanks(j);
    return j->at < j->end ? *j->at : '\0';
}

bool json_take(struct json *j, char c)
{
    if (peek(j) != c)
        return false;
    j->at++;
    return true;
}

bool json_need(struct json *j, char c)
{
    if (json_take(j, c))
        return true;
    if (j->at == j->end)
        return wrong(j, "it ends early");
    return wrong(j, c == '{'   ? "a { is missing"
                    : c == '[' ? "a [ is missing"
                    : c == ']' ? "a ] or a comma is missing"
                    : c == ':' ? "a : is missing"
                               : "a } or a comma is missing");
}

/* Takes the four digits of \uHHHH. */
static bool hex4(struct json *j, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, j->at++) {
        const char c = j->at < j->end ? *j->at : '\0';
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return wrong(j, "\\u without four hexadecimal digits");
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return true;
}

/* Takes the character of \u, which may consist of two UTF-16 units. */
static bool unicode(struct json *j, uint32_t *c)
{
    uint32_t low;
    if (!hex4(j, c))
        return false;
    if (*c < 0xd800 || *c > 0xdfff)
        return true;
    if (*c > 0xdbff || j->end - j->at < 2 || memcmp(j->at, "\\u", 2) != 0)
        return wrong(j, "half a surrogate pair");
    j->at += 2;
    if (!hex4(j, &low))
        return false;
    if (low < 0xdc00 || low > 0xdfff)
        return wrong(j, "half a surrogate pair");
    *c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
    return true;
}

static char *put_utf8(char *to, uint32_t c)
{
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (char)(first[more] | c >> 6 * more);
    for (int i = more - 1; i >= 0; i--)
        *to++ = (char)(0x80 | (c >> 6 * i & 0x3f));
    return to;
}

/* Takes the rest of an escape, after its backslash. */
static char *escaped(struct json *j, char *to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    uint32_t c;
    const char letter = j->at < j->end ? *j->at : '\0';
    const char *found = letter ? strchr(from, letter) : NULL;
    if (found) {
        j->at++;
        *to++ = into[found - from];
        return to;
    }
    if (letter != 'u') {
        wrong(j, "an unknown escape");
        return NULL;
    }
    j->at++;
    return unicode(j, &c) ? put_utf8(to, c) : NULL;
}

/* Copies a character that is not an escape. */
static char *plain(struct json *j, char *to)
{
    const size_t n = utf8_length(j->at, (size_t)(j->end - j->at));
    if (n == 0 || (unsigned char)*j->at < 0x20) {
        wrong(j, n == 0 ? "bytes that are not UTF-8"
                        : "a control character in a string");
        return NULL;
    }
    memcpy(to, j->at, n);
    j->at += n;
    return to + n;
}

/* Takes one character of a string. */
static char *character(struct json *j, char *to)
{
    if (*j->at != '\\')
        return plain(j, to);
    j->at++;
    return escaped(j, to);
}

static bool end_string(struct json *j)
{
    if (j->at == j->end)
        return wrong(j, "a string does not end");
    j->at++;
    return true;
}

char *json_string(struct json *j, char *to)
{
    char *next = to;
    if (!json_take(j, '"')) {
        wrong(j, "a string is missing");
        return NULL;
    }
    while (j->at < j->end && *j->at != '"') {
        next = character(j, to);
        if (!next)
            return NULL;
        if (*to == '\0') {
            wrong(j, "a NUL in a name");
            return NULL;
        }
        to = next;
    }
    *to++ = '\0';
    return end_string(j) ? to : NULL;
}

bool json_whole(struct json *j, uint64_t *value)
{
    char c = peek(j);
    const char *second = j->at + 1;
    const bool is_zero = c == '0';
    if (c < '0' || c > '9')
        return wrong(j, "a whole number is missing");
    *value = 0;
    for (; j->at < j->end && (c = *j->at) >= '0' && c <= '9'; j->at++) {
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(c - '0'), value))
            return wrong(j, "a number is too large");
        if (is_zero && j->at == second)
            return wrong(j, "a number starts with 0");
    }
    if (j->at < j->end && strchr(".eE", *j->at) && *j->at)
        return wrong(j, "a number is not whole");
    return true;
}

/* Skips a string of any length. */
static bool skip_string(struct json *j)
{
    char scrap[8];
    if (!json_take(j, '"'))
        return wrong(j, "a string is missing");
    while (j->at < j->end && *j->at != '"') {
        if (!character(j, scrap))
            return false;
    }
    return end_string(j);
}

/* Takes the next character if it is one of `some`. Skips no blanks. */
static bool take_any(struct json *j, const char *some)
{
    const bool ok = j->at < j->end && *j->at && strchr(some, *j->at);
    j->at += ok;
    return ok;
}

static bool skip_digits(struct json *j)
{
    if (!take_any(j, "0123456789"))
        return wrong(j, "a digit is missing");
    while (take_any(j, "0123456789"))
        continue;
    return true;
}

/* Skips a number. A digit after a first 0 is left, and is an error of the
 * caller. */
static bool skip_number(struct json *j)
{
    take_any(j, "-");
    if (!take_any(j, "0") && !skip_digits(j))
        return false;
    if (take_any(j, ".") && !skip_digits(j))
        return false;
    if (!take_any(j, "eE"))
        return true;
    take_any(j, "+-");
    return skip_digits(j);
}

static bool skip_word(struct json *j)
{
    static const char *const words[] = {"true", "false", "null"};
    const char *start = j->at;
    for (size_t i = 0; j->at == start && i < 3; i++) {
        const size_t n = strlen(words[i]);
        if ((size_t)(j->end - start) >= n && memcmp(start, words[i], n) == 0)
            j->at += n;
    }
    return j->at > start || wrong(j, "a value is missing");
}

static bool skip_value(struct json *j, int depth);

/* Skips the rest of an object or an array. */
static bool skip_list(struct json *j, char closing, int depth)
{
    if (depth == DEPTH_MAX)
        return wrong(j, "too deep");
    if (json_take(j, closing))
        return true;
    do {
        if (closing == '}' && (!skip_string(j) || !json_need(j, ':')))
            return false;
        if (!skip_value(j, depth))
            return false;
    } while (json_take(j, ','));
    return json_need(j, closing);
}

static bool skip_value(struct json *j, int depth)
{
    if (json_take(j, '{'))
        return skip_list(j, '}', depth + 1);
    if (json_take(j, '['))
        return skip_list(j, ']', depth + 1);
    const char c = peek(j);
    return c == '"'                             ? skip_string(j)
           : c == '-' || (c >= '0' && c <= '9') ? skip_number(j)
                                                : skip_word(j);
}

bool json_skip(struct json *j)
{
    return skip_value(j, 0);
}

bool json_ended(struct json *j)
{
    skip_blanks(j);
    return j->at == j->end || wrong(j, "text follows the header");
}
