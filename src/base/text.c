/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <string.h>
#include <strings.h>

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

/* Optimal string alignment distance of two short words. */
static unsigned distance(const char *a, const char *b)
{
    unsigned d[WORD_MAX + 1][WORD_MAX + 1];
    size_t m = strlen(a), n = strlen(b);
    if (m > WORD_MAX || n > WORD_MAX)
        return WORD_MAX;
    for (size_t i = 0; i <= m; i++) {
        for (size_t j = 0; j <= n; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (unsigned)(i + j);
                continue;
            }
            unsigned cost = a[i - 1] != b[j - 1];
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                            d[i - 1][j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[m][n];
}

const char *text_nearest(const char *word,
                         const char *(*name)(size_t i, const void *context),
                         const void *context)
{
    const char *best = NULL;
    unsigned best_distance = 3;
    const char *candidate;
    for (size_t i = 0; (candidate = name(i, context)); i++) {
        unsigned d = distance(word, candidate);
        /* A word of two letters is two edits from half the table. */
        if (d < best_distance && d < strlen(candidate) &&
            2 * d <= strlen(word) + 1) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
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
