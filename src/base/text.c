/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"

bool text_starts(const char *text, const char *with)
{
    return text && strncmp(text, with, strlen(with)) == 0;
}

static bool digits_to_u64(const char *text, size_t length, uint64_t *value)
{
    uint64_t v = 0;
    if (length == 0)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        unsigned digit = (unsigned)(text[i] - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}

bool text_to_u64(const char *text, uint64_t *value)
{
    return digits_to_u64(text, strlen(text), value);
}

char *text_digits(char *end, uint64_t x, int least)
{
    static const char pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    for (; x > 9; x /= 100, least -= 2)
        end = memcpy(end - 2, pairs + x % 100 * 2, 2);
    for (; x > 0 || least > 0; x /= 10, least--)
        *--end = (char)('0' + x % 10);
    return end;
}

bool text_to_size(const char *text, uint64_t *bytes)
{
    static const char letters[] = "KMGT";
    size_t digits = strspn(text, "0123456789");
    const char *unit = text + digits;
    unsigned shift = 0;
    uint64_t v;
    if (*unit != '\0' && strcasecmp(unit, "B") != 0) {
        char upper = (char)(*unit >= 'a' ? *unit - 'a' + 'A' : *unit);
        const char *at = strchr(letters, upper);
        bool tail = unit[1] == '\0' || strcasecmp(unit + 1, "iB") == 0 ||
                    strcasecmp(unit + 1, "B") == 0;
        if (!at || !tail)
            return false;
        shift = 10 * (unsigned)(at - letters + 1);
    }
    if (!digits_to_u64(text, digits, &v) || v > UINT64_MAX >> shift)
        return false;
    *bytes = v << shift;
    return true;
}

enum { WORD_MAX = 24 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A distance at which no word is suggested. */
enum { FAR = 3 };

/* The cost of replacing a by b. A digit is never a typo for another digit: i18
 * does not mean i16. */
static unsigned replacing(char a, char b)
{
    if (lower(a) == lower(b))
        return 0;
    return is_digit(a) && is_digit(b) ? FAR : 1;
}

/* The cost of w[i] as a surplus character. A digit may be surplus only if it
 * repeats the digit before it. */
static unsigned adding(const char *w, size_t i)
{
    return is_digit(w[i]) && (i == 0 || w[i - 1] != w[i]) ? FAR : 1;
}

/* Optimal string alignment distance of two words, ignoring case; WORD_MAX if a
 * word is longer than that. */
static unsigned distance(const char *a, const char *b)
{
    unsigned d[WORD_MAX + 1][WORD_MAX + 1] = {{0}};
    size_t m = strlen(a), n = strlen(b);
    if (m > WORD_MAX || n > WORD_MAX)
        return WORD_MAX;
    for (size_t i = 1; i <= m; i++)
        d[i][0] = d[i - 1][0] + adding(a, i - 1);
    for (size_t j = 1; j <= n; j++)
        d[0][j] = d[0][j - 1] + adding(b, j - 1);
    for (size_t i = 1; i <= m; i++) {
        for (size_t j = 1; j <= n; j++) {
            d[i][j] = least(least(d[i - 1][j] + adding(a, i - 1),
                                  d[i][j - 1] + adding(b, j - 1)),
                            d[i - 1][j - 1] + replacing(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[m][n];
}

/* Returns the candidate's distance if the user may have meant it, else FAR. The
 * word may be a prefix of the candidate, or differ from it by a typo or two. A
 * short word may differ by fewer. */
static unsigned how_far(const char *word, const char *candidate)
{
    size_t n = strlen(word);
    unsigned d = distance(word, candidate);
    if (n >= 3 && strncasecmp(word, candidate, n) == 0)
        return least(d, 1);
    return n >= 2 && d < strlen(candidate) && 2 * d <= n + 1 ? d : FAR;
}

/* Finds the candidates at the least distance, in their order. Returns how many
 * there are; 0 if there are more than two. */
static size_t find_nearest(const char *near[2], const char *word,
                           const char *(*name)(size_t i, const void *context),
                           const void *context)
{
    unsigned best = FAR;
    size_t n = 0;
    const char *candidate;
    for (size_t i = 0; (candidate = name(i, context)); i++) {
        unsigned d = how_far(word, candidate);
        n = d < best ? 0 : n;
        if (d < FAR && d <= best && n++ < 2)
            near[n - 1] = candidate;
        best = least(best, d);
    }
    return n <= 2 ? n : 0;
}

const char *text_nearest(const char *word,
                         const char *(*name)(size_t i, const void *context),
                         const void *context)
{
    const char *near[2];
    return find_nearest(near, word, name, context) > 0 ? near[0] : NULL;
}

const char *text_suggest(char out[TEXT_SUGGEST_MAX], const char *dashes,
                         const char *word,
                         const char *(*name)(size_t i, const void *context),
                         const void *context)
{
    const char *near[2];
    char a[QUOTE_MAX], b[QUOTE_MAX] = "";
    size_t n = find_nearest(near, word, name, context);
    out[0] = '\0';
    if (n > 0)
        escape(a, near[0]);
    if (n > 1)
        escape(b, near[1]);
    if (n > 0)
        snprintf(out, TEXT_SUGGEST_MAX, "; did you mean '%s%s'%s%s%s%s?",
                 dashes, a, n > 1 ? " or '" : "", n > 1 ? dashes : "", b,
                 n > 1 ? "'" : "");
    return out;
}

bool text_has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (;;) {
        size_t length = strcspn(list, ", ");
        if (n > 0 && length == n && memcmp(list, word, n) == 0)
            return true;
        if (list[length] == '\0')
            return false;
        list += length + 1;
        list += strspn(list, ", ");
    }
}
