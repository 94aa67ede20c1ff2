/* SPDX-License-Identifier: MIT */
#include "csv/schema/hint_dress.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Thousands separators, and the option as typed in a shell. No-break spaces are
 * typed by their code. */
static const struct separator {
    const char *text, *option;
} separators[] = {
    {",", "--thousands ,"},
    {".", "--thousands ."},
    {"'", "--thousands \"'\""},
    {" ", "--thousands ' '"},
    {"_", "--thousands _"},
    {"\xe2\x80\x99", "--thousands \xe2\x80\x99"},
    {"\xc2\xa0", "--thousands $'\\u00a0'"},
    {"\xe2\x80\xaf", "--thousands $'\\u202f'"},
    {"\xe2\x80\x89", "--thousands $'\\u2009'"},
};

/* Marks around a number, and what --strip needs to remove them. */
static const struct {
    const char *text, *option;
} marks[] = {
    {"$", "$"},
    {"\xe2\x82\xac", "\xe2\x82\xac"},
    {"%", "%"},
    {"\xc2\xa3", "\xc2\xa3"},
    {"\xc2\xa5", "\xc2\xa5"},
    {"(", "()"},
    {")", ""},
    {"EUR", "EUR"},
    {"USD", "USD"},
    {"GBP", "GBP"},
    {"CHF", "CHF"},
    {"#", "#"},
};

enum { MARKS = sizeof marks / sizeof marks[0] };

/* A cell that is being read. [at, end) is left to read; the other fields say
 * what was found. */
struct number {
    const char *at, *end;
    const char *strip[MARKS];
    int strips, open; /* open: brackets opened and not closed */
    bool is_decimal_comma, has_point, is_ambiguous;
    const struct separator *thousands; /* or NULL */
};

static bool starts(const struct number *n, const char *text)
{
    size_t bytes = strlen(text);
    return (size_t)(n->end - n->at) >= bytes && memcmp(n->at, text, bytes) == 0;
}

static bool ends(const struct number *n, const char *text)
{
    size_t bytes = strlen(text);
    return (size_t)(n->end - n->at) >= bytes &&
           memcmp(n->end - bytes, text, bytes) == 0;
}

static void add_mark(struct number *n, const char *option)
{
    for (int i = 0; i < n->strips; i++) {
        if (n->strip[i] == option)
            return;
    }
    if (option[0])
        n->strip[n->strips++] = option;
}

/* Strips one mark off either end. False: there is none. */
static bool strip_mark(struct number *n)
{
    for (int i = 0; i < MARKS; i++) {
        size_t bytes = strlen(marks[i].text);
        if (starts(n, marks[i].text))
            n->at += bytes;
        else if (ends(n, marks[i].text))
            n->end -= bytes;
        else
            continue;
        n->open += (marks[i].text[0] == '(') - (marks[i].text[0] == ')');
        add_mark(n, marks[i].option);
        return true;
    }
    return false;
}

bool csv_has_currency(struct csv_span cell)
{
    const struct number n = {.at = cell.at, .end = cell.at + cell.bytes};
    /* The fast path: most such cells are words. */
    if (cell.bytes < 4 ||
        (isalpha((unsigned char)n.at[0]) && isalpha((unsigned char)n.end[-1])))
        return false;
    for (int i = 0; i < MARKS; i++) {
        const char *code = marks[i].text;
        if (isupper((unsigned char)code[0]) &&
            (ends(&n, code) ||
             (starts(&n, code) && csv_blank(n.at[strlen(code)]))))
            return true;
    }
    return false;
}

static bool is_sign(char c)
{
    return c == '-' || c == '+';
}

/* Strips marks, blanks and signs off both ends. */
static void strip(struct number *n)
{
    do {
        while (n->at < n->end && (csv_blank(*n->at) || is_sign(*n->at)))
            n->at++;
        while (n->at < n->end && csv_blank(n->end[-1]))
            n->end--;
    } while (strip_mark(n));
}

static size_t digits(const struct number *n)
{
    const char *p = n->at;
    while (p < n->end && *p >= '0' && *p <= '9')
        p++;
    return (size_t)(p - n->at);
}

static const struct separator *separator(const struct number *n)
{
    for (size_t i = 0; i < sizeof separators / sizeof separators[0]; i++) {
        if (starts(n, separators[i].text))
            return &separators[i];
    }
    return NULL;
}

/* Reads the text after the first digits of the integer part: groups of three
 * digits, all after the same separator, then perhaps a decimal mark and digits.
 * False for other text. */
static bool read_groups(struct number *n, size_t first)
{
    const struct separator *s;
    int groups = 0;
    while ((s = separator(n))) {
        struct number after = *n;
        after.at += strlen(s->text);
        size_t length = digits(&after);
        bool is_group = first > 0 && first <= 3 && length == 3 &&
                        (!n->thousands || n->thousands == s);
        char mark = *n->at;
        n->at = after.at + length;
        if (is_group) {
            n->thousands = s;
            groups++;
            continue;
        }
        n->is_decimal_comma = mark == ',';
        n->has_point = mark == '.';
        return (mark == ',' || mark == '.') && s != n->thousands && length > 0;
    }
    char only = n->thousands ? n->thousands->text[0] : '\0';
    n->is_ambiguous = groups == 1 && only == ',';
    /* One point and three digits is a plain number, such as 1.234. */
    n->has_point |= groups == 1 && only == '.';
    return true;
}

/* Reads an exponent, if there is one. False if the cell has more text. */
static bool read_exponent(struct number *n)
{
    if (n->at < n->end && (*n->at == 'e' || *n->at == 'E')) {
        n->at++;
        n->at += n->at < n->end && is_sign(*n->at);
        size_t length = digits(n);
        n->at += length;
        return length > 0 && n->at == n->end;
    }
    return n->at == n->end;
}

static size_t add(char out[CSV_HINT_MAX], size_t used, const char *text)
{
    int n = snprintf(out + used, CSV_HINT_MAX - used, "%s%s",
                     used > 0 ? " " : "", text);
    return used + (size_t)n < CSV_HINT_MAX ? used + (size_t)n : used;
}

static size_t add_strip(char out[CSV_HINT_MAX], const struct number *n)
{
    size_t used = 0;
    if (n->strips == 0)
        return 0;
    if (n->strips == 1 && n->strip[0][0] == '%')
        return add(out, 0, "--strip %");
    used = (size_t)snprintf(out, CSV_HINT_MAX, "--strip '");
    for (int i = 0; i < n->strips; i++)
        used += (size_t)snprintf(out + used, CSV_HINT_MAX - used, "%s",
                                 n->strip[i]);
    used += (size_t)snprintf(out + used, CSV_HINT_MAX - used, "'");
    return used;
}

/* Adds the options for the decimal mark and the separator, unless they are in
 * use already. */
static size_t add_notation(char out[CSV_HINT_MAX], size_t used,
                           const struct number *n,
                           const struct csv_hint_context *c)
{
    char decimal = c->decimal ? c->decimal : '.';
    const char *thousands = n->thousands ? n->thousands->text : NULL;
    bool is_in_use =
        thousands && c->thousands && strcmp(thousands, c->thousands) == 0;
    bool has_points = thousands && strcmp(thousands, ".") == 0;
    if (n->is_ambiguous && decimal == '.' && !is_in_use)
        return add(out, used,
                   "--thousands , if 1,234 means 1234, or --decimal , if it "
                   "means 1.234");
    if (n->is_ambiguous && decimal == ',')
        return used;
    if ((n->is_decimal_comma || has_points) && decimal != ',' &&
        !(has_points && n->has_point))
        used = add(out, used, "--decimal ,");
    if (n->has_point && !has_points && decimal != '.')
        used = add(out, used,
                   thousands || used > 0
                       ? "--decimal ."
                       : "--decimal . if no cell has a decimal comma; a column "
                         "that mixes both has to be made alike first");
    if (thousands && !is_in_use &&
        !(has_points && decimal == '.' && n->has_point))
        used = add(out, used, n->thousands->option);
    return used;
}

const char *csv_hint_dress(char out[CSV_HINT_MAX], const char *cell,
                           const struct csv_hint_context *context)
{
    struct number n = {.at = cell, .end = cell + strlen(cell)};
    strip(&n);
    /* In (1,2) split at the comma, neither bracket can be stripped. */
    if (n.open != 0)
        return NULL;
    size_t first = digits(&n);
    /* 0,123 is a fraction: no group of three follows a zero. */
    if (first == 1 && *n.at == '0')
        first = SIZE_MAX;
    n.at += first == SIZE_MAX ? 1 : first;
    bool starts_well = first > 0 || (n.at < n.end && strchr(",.", *n.at));
    if (!starts_well || !read_groups(&n, first) || !read_exponent(&n))
        return NULL;
    size_t used = add_notation(out, add_strip(out, &n), &n, context);
    return used > 0 ? out : NULL;
}
