/* SPDX-License-Identifier: MIT */
/* The setters of the options of histograms and of --compare. */
#include <math.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/rows.h"
#include "csv/number/number.h"
#include "expr/lexer.h"
#include "reduce/histogram.h"

bool set_bins(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    if (text_to_u64(arg, &o->bins) && o->bins > 0 && o->bins <= BINS_MAX)
        return true;
    return error_set(e, ERROR_USAGE,
                     "--bins takes a number from 1 to %d, not %s", BINS_MAX,
                     quote(quoted, arg));
}

/* Reads a finite number, rounded to f64. */
static bool number_of(const char *text, size_t bytes, double *value)
{
    return expr_real((struct expr_text){text, bytes}, value) &&
           isfinite(*value);
}

/* Refuses an integer that number_of rounded. */
static bool check_held(const char *option, const char *text, size_t bytes,
                       double value, struct error *e)
{
    return number_holds(value, text, text + bytes) ||
           error_set(e, ERROR_USAGE,
                     "%s: f64 cannot hold %.*s; the nearest that it holds is "
                     "%.0f",
                     option, (int)bytes, text, value);
}

bool set_range(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    const char *comma = strchr(arg, ',');
    const size_t bytes = comma ? (size_t)(comma - arg) : 0;
    if (comma && number_of(arg, bytes, &o->range[0]) &&
        number_of(comma + 1, strlen(comma + 1), &o->range[1]) &&
        o->range[0] <= o->range[1])
        return check_held("--range", arg, bytes, o->range[0], e) &&
               check_held("--range", comma + 1, strlen(comma + 1), o->range[1],
                          e);
    return error_set(
        e, ERROR_USAGE,
        "--range takes two numbers in order, as 0,100 or -1.5,1.5, "
        "not %s",
        quote(quoted, arg));
}

static bool tolerance_of(const char *option, const char *arg, double *value,
                         struct error *e)
{
    char quoted[QUOTE_MAX];
    if (number_of(arg, strlen(arg), value) && *value >= 0)
        return check_held(option, arg, strlen(arg), *value, e);
    return error_set(e, ERROR_USAGE,
                     "%s takes a number from 0 on, such as 1e-9, not %s",
                     option, quote(quoted, arg));
}

bool set_atol(struct options *o, const char *arg, struct error *e)
{
    return tolerance_of("--atol", arg, &o->atol, e);
}

bool set_rtol(struct options *o, const char *arg, struct error *e)
{
    return tolerance_of("--rtol", arg, &o->rtol, e);
}

FLAG(compare, o->compare = true)
