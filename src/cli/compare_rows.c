/* SPDX-License-Identifier: MIT */
/* The setters of the options for --compare. */
#include <math.h>
#include <string.h>

#include "base/quote.h"
#include "cli/rows.h"
#include "expr/lexer.h"

/* Reads a finite, non-negative number, rounded to f64. */
static bool tolerance_of(const char *option, const char *arg, double *value,
                         struct error *e)
{
    char quoted[QUOTE_MAX];
    const struct expr_text text = {arg, strlen(arg)};
    return (expr_real(text, value) && isfinite(*value) && *value >= 0) ||
           error_set(e, ERROR_USAGE,
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
