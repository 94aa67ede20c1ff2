/* SPDX-License-Identifier: MIT */
/* The setters of the options of histograms. */
#include <math.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/rows.h"
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
static bool edge_of(const char *text, size_t bytes, double *value)
{
    return expr_real((struct expr_text){text, bytes}, value) &&
           isfinite(*value);
}

bool set_range(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    const char *comma = strchr(arg, ',');
    if (comma && edge_of(arg, (size_t)(comma - arg), &o->range[0]) &&
        edge_of(comma + 1, strlen(comma + 1), &o->range[1]) &&
        o->range[0] <= o->range[1])
        return true;
    return error_set(
        e, ERROR_USAGE,
        "--range takes two numbers in order, as 0,100 or -1.5,1.5, "
        "not %s",
        quote(quoted, arg));
}
