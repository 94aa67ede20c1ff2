/* SPDX-License-Identifier: MIT */
#include "csv/schema/hint.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/quote.h"
#include "csv/cell/shape.h"
#include "csv/schema/hint_dress.h"

enum { SHOWN = 40 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether the text starts with the shape. In a shape, 9 stands for a digit, 8
 * for a digit or nothing, and any other character for itself. Sets *rest to the
 * text after it. */
static bool has_shape(const char *text, const char *shape, const char **rest)
{
    for (; *shape; shape++) {
        if (*shape == '8') {
            text += is_digit(*text);
            continue;
        }
        if (*shape == '9' ? !is_digit(*text) : *text != *shape)
            return false;
        text++;
    }
    *rest = text;
    return true;
}

struct shape {
    const char *shape, *phrase;
};

#define DATE "-x COLUMN to leave the column out: it holds dates"
#define TIME "-x COLUMN to leave the column out: it holds times, not numbers"

static const char *hint_date(const char *cell)
{
    static const struct shape shapes[] = {
        {"9999-98-98", DATE}, {"9999/98/98", DATE}, {"9999.98.98", DATE},
        {"98.98.9999", DATE}, {"98/98/9999", DATE}, {"98-98-9999", DATE},
        {"98.98.99", DATE},   {"98/98/99", DATE},   {"98-98-99", DATE},
        {"98:99", TIME},
    };
    const char *rest;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (has_shape(cell, shapes[i].shape, &rest) &&
            (*rest == '\0' || strchr("T :", *rest)))
            return shapes[i].phrase;
    }
    return NULL;
}

static struct csv_span span_of(const char *cell)
{
    return (struct csv_span){cell, strlen(cell)};
}

/* Quotes the text as an argument for a shell. Returns NULL for a text of over
 * SHOWN bytes, or one with a comma, a single quote, a backslash or bytes that
 * quote() escapes. */
static const char *argument(char out[QUOTE_MAX], const char *text)
{
    if (strpbrk(text, "'\\,") || strlen(text) > SHOWN)
        return NULL;
    if (text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.-%"
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0')
        return escape(out, text);
    quote(out, text);
    return strchr(out, '\\') ? NULL : out;
}

/* The word as an argument of --na, which is a list; NULL as above. */
static const char *word_of_list(char out[QUOTE_MAX], const char *text)
{
    if (!strchr(text, ',') || strpbrk(text, "'\"\\") || strlen(text) > SHOWN)
        return argument(out, text);
    char quoted[SHOWN + 3];
    snprintf(quoted, sizeof quoted, "\"%s\"", text);
    quote(out, quoted);
    return strchr(out, '\\') ? NULL : out;
}

static const char *hint_missing(char out[CSV_HINT_MAX], const char *cell)
{
    char room[QUOTE_MAX];
    const char *word = word_of_list(room, cell);
    if (!csv_is_missing_word(span_of(cell)))
        return NULL;
    if (!word)
        return "--na LIST with this text if it means a missing value";
    snprintf(out, CSV_HINT_MAX, "--na %.*s if it means a missing value",
             SHOWN + 4, word);
    return out;
}

/* A measured value that is known only to be below or above a number, or near
 * it: to strip the sign would count it as that number. */
static const char *hint_limit(char out[CSV_HINT_MAX], const char *cell)
{
    char room[QUOTE_MAX];
    const size_t sign = strspn(cell, "<>~=");
    const char *number = cell + sign + strspn(cell + sign, " ");
    if (sign == 0 || number[strspn(number, "0123456789.,")] ||
        !strpbrk(number, "0123456789"))
        return NULL;
    const char *word = word_of_list(room, cell);
    snprintf(out, CSV_HINT_MAX, "--na %.*s" CSV_HINT_LIMIT, SHOWN + 4,
             word ? word : "with this text");
    return out;
}

static const char *hint_truth(char out[CSV_HINT_MAX], const char *cell)
{
    static const char *const words[] = {"true", "false", "t", "f",
                                        "yes",  "no",    "y", "n"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(cell, words[i]) != 0)
            continue;
        snprintf(out, CSV_HINT_MAX,
                 "-t bool if the column holds only such words, 0 and 1, or "
                 "--na %s if this one means a missing value",
                 cell);
        return out;
    }
    return NULL;
}

/* Whether the cell is a plain number, which only an integer type refuses. */
static bool is_plain_number(const char *cell)
{
    cell += *cell == '-' || *cell == '+';
    return is_digit(cell[cell[0] == '.']) &&
           cell[strspn(cell, "0123456789.eE+-")] == '\0';
}

#define NUMFMT \
    "numfmt --from=iec --invalid=ignore --header --delimiter=, --field=N"
#define UNITS                                                                \
    NUMFMT " < FILE | gpureduce: field N has units, which du -b and others " \
           "can leave out"
#define BYTES \
    NUMFMT " --suffix=B < FILE | gpureduce --strip B: field N has units"

#define REPEATED                                                             \
    "awk 'NR == 1 {h = $0; print} $0 != h' FILE | gpureduce: the header is " \
    "repeated here, as where files were joined"

static const char *hint_word(const char *cell)
{
    if (csv_is_hexadecimal(span_of(cell)))
        return "gawk '$1 ~ /^[-+]?[0-9]/ {print strtonum($1)}' FILE | "
               "gpureduce -f csv for a file of hexadecimal numbers";
    if (csv_is_fortran(span_of(cell)))
        return "sed 's/\\([0-9.]\\)[Dd]\\([-+0-9]\\)/\\1E\\2/g' FILE | "
               "gpureduce: a D is Fortran's exponent";
    if (csv_has_unit(span_of(cell)))
        return strchr("Bb", cell[strlen(cell) - 1]) ? BYTES : UNITS;
    if (strstr(cell, "\xe2\x88\x92"))
        return "sed 's/\\xe2\\x88\\x92/-/g' FILE | gpureduce: the minus sign "
               "is U+2212, not a hyphen";
    return NULL;
}

/* The delimiter that would split the cell into numbers. */
static const char *hint_delimiter(const char *cell, int delimiter)
{
    static const struct {
        char byte;
        const char *phrase;
    } others[] = {
        {';', "-d ';'"}, {'\t', "-d tab"}, {'|', "-d '|'"}, {' ', "-d blank"}};
    if (!is_digit(cell[*cell == '-']))
        return NULL;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const char *at = strchr(cell, others[i].byte);
        if (!at || others[i].byte == delimiter || delimiter > UCHAR_MAX)
            continue;
        at += strspn(at, " \t;|");
        if (is_digit(at[*at == '-']) && !strpbrk(cell, ":/$%"))
            return others[i].phrase;
    }
    return NULL;
}

/* A number with its minus at the end, as COBOL and SAP write it; but 12,- is a
 * price without cents. The command moves the minus of whole cells alone. A
 * comma in a cell between commas needs quotes. */
static const char *hint_minus(char out[CSV_HINT_MAX], const char *cell,
                              int delimiter)
{
    const size_t n = strspn(cell, "0123456789.,");
    const bool is_comma = delimiter == ',', has_comma = memchr(cell, ',', n);
    const char *quote = is_comma && has_comma ? "\"" : "\"?";
    const bool is_plain = delimiter == ';' || delimiter == '|' || is_comma;
    const char plain[] = {(char)delimiter, '\0'};
    const char *set = is_plain ? plain : delimiter == '\t' ? "\\t" : " \\t";
    if (!strpbrk(cell, "0123456789") || strcmp(cell + n, "-") != 0 ||
        strchr(".,", cell[n - 1]))
        return NULL;
    snprintf(out, CSV_HINT_MAX,
             "sed -E ':a;s/(^|[%s])(%s)([0-9.%s]+)-(%s([%s]|\\r?$))/"
             "\\1\\2-\\3\\4/;ta'" CSV_HINT_MINUS,
             set, quote, is_comma && !has_comma ? "" : ",", quote, set);
    return out;
}

/* Replaces COLUMN in the phrase by the name of the column. */
static const char *with_column(char out[CSV_HINT_MAX], const char *phrase,
                               const char *column)
{
    char room[QUOTE_MAX];
    const char *named = column && *column ? argument(room, column) : NULL;
    const char *at = phrase ? strstr(phrase, "COLUMN") : NULL;
    if (!at || !named)
        return phrase;
    snprintf(out, CSV_HINT_MAX, "%.*s%.*s%s", (int)(at - phrase), phrase,
             SHOWN + 2, named, at + strlen("COLUMN"));
    return out;
}

const char *csv_hint(char out[CSV_HINT_MAX], const char *cell, size_t bytes,
                     const struct csv_hint_context *context)
{
    char text[256];
    if (bytes == 0 || bytes >= sizeof text || memchr(cell, '\0', bytes))
        return NULL;
    memcpy(text, cell, bytes);
    text[bytes] = '\0';
    bool is_name = context->is_again && context->column &&
                   strcmp(text, context->column) == 0;
    const char *phrase = NULL;
    /* A name with digits may be data in a record that was assumed to be a
     * header: then other hints come first. */
    if (is_name && !strpbrk(text, "0123456789") &&
        !csv_is_missing_word(span_of(text)))
        phrase = REPEATED;
    phrase = phrase ? phrase : hint_truth(out, text);
    phrase = phrase ? phrase : hint_word(text);
    phrase = phrase ? phrase : hint_missing(out, text);
    phrase = phrase ? phrase : hint_limit(out, text);
    phrase = phrase ? phrase : hint_date(text);
    phrase = phrase ? phrase : hint_minus(out, text, context->delimiter);
    phrase = phrase ? phrase : csv_hint_dress(out, text, context);
    phrase = phrase ? phrase : hint_delimiter(text, context->delimiter);
    if (!phrase && is_name)
        phrase = REPEATED;
    if (!phrase && context->is_integer && is_plain_number(text))
        phrase = context->is_bool ? "-t f64 if the column holds numbers"
                                  : "-t f64: the integer type cannot hold it";
    return with_column(out, phrase, context->column);
}
