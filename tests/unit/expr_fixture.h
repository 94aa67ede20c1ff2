/* SPDX-License-Identifier: MIT */
/* Names and values for the tests of expressions, and values as text. */
#pragma once

#include <inttypes.h>
#include <math.h>

#include "check.h"
#include "expr/expr.h"

/* The names that all tests use, with their values. */
static const struct {
    const char *name;
    enum expr_type type;
    bool may_be_text;
    struct expr_value value, text;
} names[] = {
#define FLOAT(x)                      \
    {                                 \
        .type = EXPR_FLOAT, .real = x \
    }
#define INTEGER(x)                         \
    {                                      \
        .type = EXPR_INTEGER, .integer = x \
    }
#define BOOL(x)                       \
    {                                 \
        .type = EXPR_BOOL, .truth = x \
    }
#define TEXT(x)                                        \
    {                                                  \
        .type = EXPR_TEXT, .text = { x, sizeof x - 1 } \
    }
    {"a", EXPR_FLOAT, false, FLOAT(1.5), {0}},
    {"b", EXPR_FLOAT, false, FLOAT(2), {0}},
    {"c", EXPR_FLOAT, false, FLOAT(-4), {0}},
    {"d", EXPR_FLOAT, false, FLOAT(NAN), {0}},
    {"i", EXPR_INTEGER, false, INTEGER(7), {0}},
    {"j", EXPR_INTEGER, false, INTEGER(-3), {0}},
    {"z", EXPR_INTEGER, false, INTEGER(0), {0}},
    {"top", EXPR_INTEGER, false, INTEGER(UINT64_MAX), {0}},
    {"low", EXPR_INTEGER, false, INTEGER(INT64_MIN), {0}},
    {"odd", EXPR_INTEGER, false, INTEGER((1ll << 53) + 1), {0}},
    {"n", EXPR_NUMBER, false, INTEGER(5), {0}},
    {"r", EXPR_NUMBER, false, FLOAT(0.5), {0}},
    {"m", EXPR_FLOAT, false, {.type = EXPR_MISSING}, {0}},
    {"p", EXPR_BOOL, false, BOOL(true), {0}},
    {"q", EXPR_BOOL, false, BOOL(false), {0}},
    {"u", EXPR_BOOL, false, {.type = EXPR_MISSING}, {0}},
    {"s", EXPR_FLOAT, true, FLOAT(12), TEXT("12")},
    {"t", EXPR_FLOAT, true, FLOAT(13), TEXT("Rome")},
    {"w", EXPR_TEXT, false, {0}, TEXT("a\tb")},
    {"max(a)", EXPR_NUMBER, false, INTEGER(99), {0}},
    {"index()", EXPR_INTEGER, false, INTEGER(42), {0}},
    {"$2", EXPR_FLOAT, true, FLOAT(22), TEXT("22")},
    {"unit `price`", EXPR_FLOAT, false, FLOAT(3), {0}},
    {"a.b_1", EXPR_FLOAT, false, FLOAT(4), {0}},
    {"\xc3\xa9t\xc3\xa9", EXPR_FLOAT, false, FLOAT(5), {0}},
};

enum { NAMES = sizeof names / sizeof names[0] };

static inline bool find(void *context, const struct expr_name *name,
                        struct expr_column *column, struct error *why)
{
    char text[64], inner[32] = "";
    (void)context;
    if (name->field)
        snprintf(inner, sizeof inner, "$%" PRIu64, name->field);
    else if (name->name.at)
        snprintf(inner, sizeof inner, "%.*s", (int)name->name.bytes,
                 name->name.at);
    snprintf(text, sizeof text, name->call.at ? "%.*s(%s)" : "%.*s%s",
             (int)name->call.bytes, name->call.at ? name->call.at : "", inner);
    for (uint32_t k = 0; k < NAMES; k++) {
        if (strcmp(text, names[k].name) == 0) {
            *column =
                (struct expr_column){k, names[k].type, names[k].may_be_text};
            return true;
        }
    }
    return !name->call.at && error_set(why, ERROR_USAGE, "unknown %s", text);
}

static inline bool read_value(const void *context, uint32_t index,
                              enum expr_type type, struct expr_value *value,
                              struct error *e)
{
    (void)context, (void)e;
    *value = type == EXPR_TEXT ? names[index].text : names[index].value;
    return true;
}

static const struct expr_names finder = {find, NULL};

static inline struct expr_source source_of(const char *text)
{
    return (struct expr_source){"--test", text, strlen(text), false};
}

static inline void put_integer(char *out, __int128 x)
{
    char digits[64];
    size_t n = sizeof digits;
    unsigned __int128 left =
        x < 0 ? -(unsigned __int128)x : (unsigned __int128)x;
    digits[--n] = '\0';
    do {
        digits[--n] = (char)('0' + (int)(left % 10));
        left /= 10;
    } while (left);
    sprintf(out, "%s%s", x < 0 ? "-" : "", digits + n);
}

static inline void put_value(char *out, const struct expr_value *v)
{
    if (v->type == EXPR_MISSING)
        strcpy(out, "missing");
    else if (v->type == EXPR_BOOL)
        strcpy(out, v->truth ? "true" : "false");
    else if (v->type == EXPR_INTEGER)
        put_integer(out, v->integer);
    else if (v->type == EXPR_FLOAT)
        sprintf(out, isnan(v->real) ? "nan" : "%.17gf", v->real);
    else
        sprintf(out, "'%.*s'", (int)v->text.bytes, v->text.at);
}

/* Returns `before` n times, then `middle`, then `after` n times. To be
 * freed. */
static inline char *repeat(size_t n, const char *before, const char *middle,
                           const char *after)
{
    const size_t a = strlen(before), b = strlen(after);
    char *text = calloc(1, n * (a + b) + strlen(middle) + 1), *end = text;
    for (size_t i = 0; i < n; i++, end += a)
        memcpy(end, before, a);
    end = stpcpy(end, middle);
    for (size_t i = 0; i < n; i++, end += b)
        memcpy(end, after, b);
    return text;
}
