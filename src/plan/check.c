/* SPDX-License-Identifier: MIT */
/* Refuses options that contradict each other or the format of an input. */
#include "plan/check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/quote.h"
#include "format/format.h"
#include "plan/axes.h"
#include "plan/by.h"
#include "plan/comparison.h"
#include "plan/folds.h"
#include "plan/part.h"
#include "plan/saving.h"
#include "reduce/op.h"

static bool check_pairs(const struct options *o, struct error *e)
{
    if (o->deterministic && o->fast)
        return error_set(e, ERROR_USAGE,
                         "--deterministic and --fast exclude each other");
    if (o->verify && o->fast)
        return error_set(e, ERROR_USAGE,
                         "--verify and --fast exclude each other: fast sums "
                         "may differ");
    if (o->verbose && o->quiet)
        return error_set(e, ERROR_USAGE,
                         "--verbose and --quiet exclude each other");
    return true;
}

static bool check_interpolation(const struct options *o, struct error *e)
{
    size_t i = 0;
    while (i < o->ops && !op_of_ranks(o->op[i]))
        i++;
    return i < o->ops || o->assertions > 0 ||
           !options_given(o, "interpolation") ||
           error_set(e, ERROR_USAGE,
                     "--interpolation is for quantiles; say -o median, or p90");
}

static bool check_histogram(const struct options *o, struct error *e)
{
    size_t i = 0;
    while (i < o->ops && !op_is_histogram(o->op[i]))
        i++;
    const char *option = options_given_of(o, "bins range");
    if (i == o->ops)
        return !option ||
               error_set(e, ERROR_USAGE,
                         "--%s is for a histogram; say -o histogram", option);
    if (o->form == FORM_npy && o->axis.axes == 0)
        return error_set(e, ERROR_USAGE,
                         "a histogram is a table, not an array; say -O csv or "
                         "-O json");
    return o->ops == 1 ||
           error_set(e, ERROR_USAGE,
                     "a histogram cannot be combined with other operations; "
                     "ask for it in a separate run");
}

/* Whether the character is a digit, a sign or a letter, as in numbers. */
static bool is_of_numbers(char c)
{
    return c && strchr("0123456789+-abcdefghijklmnopqrstuvwxyz"
                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                       c);
}

static bool check_decimal(const struct options *o, struct error *e)
{
    char decimal = o->decimal ? o->decimal : '.';
    const char *thousands = o->thousands;
    if (is_of_numbers(decimal) || strchr(" \t", decimal))
        return error_set(e, ERROR_USAGE,
                         "--decimal cannot be a digit, a letter, a sign or a "
                         "blank, such as '%c'",
                         decimal);
    if (!thousands)
        return true;
    if (is_of_numbers(thousands[0]))
        return error_set(e, ERROR_USAGE,
                         "--thousands cannot be a digit, a letter or a sign, "
                         "such as '%c'",
                         thousands[0]);
    if (thousands[0] == decimal)
        return error_set(e, ERROR_USAGE,
                         "'%c' cannot be both the decimal mark and the "
                         "separator of thousands%s",
                         decimal,
                         o->decimal ? "" : "; say --decimal , as well");
    return true;
}

static bool check_quote(const struct options *o, struct error *e)
{
    int decimal = o->decimal ? o->decimal : '.';
    bool is_blank = o->csv.quote == ' ' || o->csv.quote == '\t';
    if (o->csv.quote == 0 || o->csv.quote == CSV_NO_QUOTE)
        return true;
    if (o->csv.quote == o->csv.delimiter ||
        (is_blank && o->csv.delimiter == CSV_BLANK))
        return error_set(e, ERROR_USAGE,
                         "--quote and --delimiter cannot be the same "
                         "character");
    if (is_of_numbers((char)o->csv.quote) || o->csv.quote == decimal ||
        (o->thousands && o->csv.quote == o->thousands[0]))
        return error_set(e, ERROR_USAGE,
                         "--quote cannot be '%c', which is part of numbers",
                         o->csv.quote);
    return true;
}

static bool check_comment(const struct options *o, struct error *e)
{
    bool is_blank = o->csv.comment == ' ' || o->csv.comment == '\t';
    if (o->csv.comment == 0)
        return true;
    if (o->csv.comment == o->csv.delimiter ||
        (is_blank && o->csv.delimiter == CSV_BLANK))
        return error_set(e, ERROR_USAGE,
                         "--comment and --delimiter cannot be the same "
                         "character");
    if (o->csv.comment == o->csv.quote ||
        (o->csv.quote == 0 && o->csv.comment == '"'))
        return error_set(e, ERROR_USAGE,
                         "--comment and --quote cannot be the same character");
    if (strchr("0123456789.", o->csv.comment))
        return error_set(e, ERROR_USAGE,
                         "--comment cannot be '%c', with which numbers start",
                         o->csv.comment);
    return true;
}

/* Refuses --strip with a digit or a sign: dropping it would silently change the
 * number. */
static bool check_strip(const struct options *o, struct error *e)
{
    char quoted[QUOTE_MAX];
    const char decimal[2] = {o->decimal ? o->decimal : '.', '\0'};
    if (o->strip &&
        (strpbrk(o->strip, "0123456789+-") || strpbrk(o->strip, decimal)))
        return error_set(e, ERROR_USAGE,
                         "--strip cannot drop digits, signs or the decimal "
                         "mark, but %s has one",
                         quote(quoted, o->strip));
    return true;
}

bool plan_check(const struct options *o, struct error *e)
{
    return check_pairs(o, e) && check_interpolation(o, e) &&
           check_histogram(o, e) && check_decimal(o, e) && check_quote(o, e) &&
           check_comment(o, e) && check_strip(o, e) && comparison_check(o, e) &&
           axes_check(o, e) && by_check(o, e) && folds_check(o, e) &&
           saving_check(o, e) && part_check(o, e);
}

bool plan_check_input(const struct input *input, struct error *e)
{
    const struct input_settings *o = input->settings;
    char name[QUOTE_MAX];
    if (!input_is_text(input)) {
        if (!o->text_option)
            return true;
        return error_set(e, ERROR_USAGE,
                         "%s: --%s is for text, but this is read as %s\n"
                         "Give --format csv or --format tsv if it is text.",
                         quote(name, input->name), o->text_option,
                         input->format->name);
    }
    if (o->has_dtype && dtype_info(o->dtype)->size <= 2 &&
        dtype_is_float(o->dtype))
        return error_set(e, ERROR_USAGE,
                         "%s: text cannot be read as %s; say --dtype f32",
                         quote(name, input->name), dtype_info(o->dtype)->name);
    if (o->big_endian)
        return error_set(e, ERROR_USAGE, "%s: text has no byte order",
                         quote(name, input->name));
    if (o->skip_bytes)
        return error_set(e, ERROR_USAGE, "%s: --skip-bytes is for raw data",
                         quote(name, input->name));
    return true;
}

bool plan_name_operation(const char *name, struct error *e)
{
    const struct op *op = access(name, F_OK) == 0 ? NULL : op_find(name);
    const size_t length = strlen(e->text);
    if (op)
        snprintf(e->text + length, sizeof e->text - length,
                 "\nSay -o %s if you mean the operation.", op->name);
    return false;
}
