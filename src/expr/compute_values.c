/* SPDX-License-Identifier: MIT */
/* Comparisons, logic, texts, and functions of missing values. */
#define _GNU_SOURCE

#include <math.h>
#include <string.h>

#include "csv/number/number.h"
#include "expr/compute.h"
#include "expr/lexer.h"

static enum expr_order order_of(bool less, bool equal)
{
    return less ? ORDER_LESS : equal ? ORDER_EQUAL : ORDER_GREATER;
}

static enum expr_order compare_texts(struct expr_text a, struct expr_text b)
{
    size_t n = a.bytes < b.bytes ? a.bytes : b.bytes;
    int order = n ? memcmp(a.at, b.at, n) : 0;
    return order ? order_of(order < 0, false)
                 : order_of(a.bytes < b.bytes, a.bytes == b.bytes);
}

/* Compares exactly: neither is converted to the other's type. */
static enum expr_order compare_mixed(__int128 a, double b)
{
    const double limit = 0x1p127;
    if (b != b)
        return ORDER_NONE;
    if (b >= limit || b < -limit)
        return order_of(b > 0, false);
    double whole = trunc(b);
    if (a != (__int128)whole)
        return order_of(a < (__int128)whole, false);
    return order_of(b > whole, b == whole);
}

static enum expr_order compare_reals(double a, double b)
{
    return a != a || b != b ? ORDER_NONE : order_of(a < b, a == b);
}

static enum expr_order reversed(enum expr_order order)
{
    static const enum expr_order of[] = {ORDER_GREATER, ORDER_EQUAL, ORDER_LESS,
                                         ORDER_NONE};
    return of[order];
}

enum expr_order expr_compare(const struct expr_value *first,
                             const struct expr_value *second)
{
    struct expr_value a = *first, b = *second;
    if (a.type == EXPR_TEXT)
        return compare_texts(a.text, b.text);
    expr_convert(&a, EXPR_NUMBER);
    expr_convert(&b, EXPR_NUMBER);
    if (a.type == EXPR_INTEGER && b.type == EXPR_INTEGER)
        return order_of(a.integer < b.integer, a.integer == b.integer);
    if (a.type == EXPR_INTEGER)
        return compare_mixed(a.integer, b.real);
    if (b.type == EXPR_INTEGER)
        return reversed(compare_mixed(b.integer, a.real));
    return compare_reals(a.real, b.real);
}

static const char *set_truth(struct expr_value *out, bool truth)
{
    out->type = EXPR_BOOL;
    out->truth = truth;
    return NULL;
}

#define VALUE(name, truth)                                \
    const char *values_##name(const struct expr_value *a, \
                              struct expr_value *out)     \
    {                                                     \
        return set_truth(out, truth);                     \
    }

#define SET(order) (1u << ORDER_##order)
#define COMPARISON(name, orders) \
    VALUE(name, ((orders) >> expr_compare(&a[0], &a[1]) & 1))

COMPARISON(eq, SET(EQUAL))
COMPARISON(ne, SET(LESS) | SET(GREATER) | SET(NONE))
COMPARISON(lt, SET(LESS))
COMPARISON(le, SET(LESS) | SET(EQUAL))
COMPARISON(gt, SET(GREATER))
COMPARISON(ge, SET(GREATER) | SET(EQUAL))

VALUE(not, !a->truth)
VALUE(isnan, a->type == EXPR_FLOAT && isnan(a->real))
VALUE(isfinite, a->type != EXPR_FLOAT || isfinite(a->real))
VALUE(ismissing, a->type == EXPR_MISSING)
VALUE(startswith,
      a[1].text.bytes <= a[0].text.bytes &&
          compare_texts((struct expr_text){a[0].text.at, a[1].text.bytes},
                        a[1].text) == ORDER_EQUAL)
VALUE(endswith,
      a[1].text.bytes <= a[0].text.bytes &&
          compare_texts((struct expr_text){a[0].text.at + a[0].text.bytes -
                                               a[1].text.bytes,
                                           a[1].text.bytes},
                        a[1].text) == ORDER_EQUAL)
VALUE(contains, memmem(a[0].text.at, a[0].text.bytes, a[1].text.at,
                       a[1].text.bytes) != NULL)

/* Three-valued logic: the result is `decides` if either operand has that value,
 * else missing if either is missing, else !decides. */
static const char *combine(const struct expr_value *a, bool decides,
                           struct expr_value *out)
{
    bool is_missing = false;
    for (size_t i = 0; i < 2; i++) {
        if (a[i].type == EXPR_MISSING)
            is_missing = true;
        else if (a[i].truth == decides)
            return set_truth(out, decides);
    }
    set_truth(out, !decides);
    out->type = is_missing ? EXPR_MISSING : EXPR_BOOL;
    return NULL;
}

const char *values_and(const struct expr_value *a, struct expr_value *out)
{
    return combine(a, false, out);
}

const char *values_or(const struct expr_value *a, struct expr_value *out)
{
    return combine(a, true, out);
}

const char *values_coalesce(const struct expr_value *a, struct expr_value *out)
{
    *out = a[a->type == EXPR_MISSING];
    return NULL;
}

const char *values_len(const struct expr_value *a, struct expr_value *out)
{
    out->type = EXPR_INTEGER;
    out->integer = (__int128)a->text.bytes;
    return NULL;
}

const char *values_text(const struct expr_value *a, struct expr_value *out)
{
    *out = *a;
    return NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Reads the text as a cell is read: blanks around it are ignored. */
const char *values_num(const struct expr_value *a, struct expr_value *out)
{
    struct expr_text text = a->text;
    out->type = EXPR_FLOAT;
    for (; text.bytes > 0 && is_blank(text.at[0]); text.bytes--)
        text.at++;
    while (text.bytes > 0 && is_blank(text.at[text.bytes - 1]))
        text.bytes--;
    if (!expr_real(text, &out->real))
        return "this text is not a number";
    return number_holds(out->real, text.at, text.at + text.bytes)
               ? NULL
               : "this text is an integer that f64 cannot hold";
}
