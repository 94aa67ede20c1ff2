/* SPDX-License-Identifier: MIT */
#include "csv/cell/shape.h"

#include <string.h>
#include <strings.h>

#define DIGITS "0123456789"

/* Skips bytes of the set, and returns how many. */
static size_t skip(struct csv_span *s, const char *set)
{
    size_t n = 0;
    while (n < s->bytes && s->at[n] && strchr(set, s->at[n]))
        n++;
    s->at += n;
    s->bytes -= n;
    return n;
}

/* Skips one byte if it is of the set. */
static bool skip_one(struct csv_span *s, const char *set)
{
    struct csv_span one = {s->at, s->bytes > 0};
    const bool is = skip(&one, set) > 0;
    s->at += is;
    s->bytes -= is;
    return is;
}

bool csv_is_hexadecimal(struct csv_span s)
{
    skip_one(&s, "+-");
    return skip_one(&s, "0") && skip_one(&s, "xX") &&
           skip(&s, DIGITS "abcdefABCDEF") > 0 && s.bytes == 0;
}

bool csv_is_fortran(struct csv_span s)
{
    skip_one(&s, "+-");
    const bool has_point = s.bytes > 0 && memchr(s.at, '.', s.bytes);
    if (skip(&s, DIGITS ".") == 0 || !skip_one(&s, "Dd"))
        return false;
    const bool has_sign = skip_one(&s, "+-");
    return (has_point || has_sign) && skip(&s, DIGITS) > 0 && s.bytes == 0;
}

static bool is_any(struct csv_span s, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strlen(words[i]) == s.bytes &&
            strncasecmp(words[i], s.at, s.bytes) == 0)
            return true;
    }
    return false;
}

bool csv_has_unit(struct csv_span s)
{
    static const char *const tails[] = {"", "B", "iB", "i"};
    skip_one(&s, "+-");
    if (s.bytes == 0 || !strchr(DIGITS ".", *s.at) ||
        skip(&s, DIGITS ".,") == 0)
        return false;
    skip(&s, " ");
    return skip_one(&s, "kKMGTP") &&
           is_any(s, tails, sizeof tails / sizeof tails[0]);
}

bool csv_is_missing_word(struct csv_span s)
{
    static const char *const words[] = {
        "na",          "n.a.",    "n/a",          "nan()",       "null",
        "none",        "nil",     "missing",      "(null)",      "[null]",
        "unknown",     "#n/a",    "#na",          "#null!",      "#div/0!",
        "#ref!",       "#value!", "#name?",       "#num!",       "nat",
        "<na>",        "\\n",     "undef",        "(none)",      "<none>",
        "unavailable", "tbd",     "\xe2\x80\x93", "\xe2\x80\x94"};
    struct csv_span rest = s;
    skip(&rest, "-.?*_#~");
    return rest.bytes == 0 || is_any(s, words, sizeof words / sizeof words[0]);
}
