/* SPDX-License-Identifier: MIT */
/* The ops of percentiles. An op is made when its name is first used, and kept,
 * so that its address never changes. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "reduce/op_rows.h"

static struct {
    struct op op;
    char name[PERCENT_NAME_MAX];
} made[PERCENTILES_MAX];
static size_t made_count;

/* Whether the name is p and a number: digits with or without a point. */
static bool is_number(const char *name)
{
    const size_t whole = name[0] == 'p' ? strspn(name + 1, "0123456789") : 0;
    const char *rest = name + 1 + whole;
    if (whole == 0 || *rest == '\0')
        return whole > 0;
    return *rest == '.' && rest[1] &&
           rest[1 + strspn(rest + 1, "0123456789")] == '\0';
}

/* Writes the name without needless zeros. False if the number is too long or
 * above 100. */
static bool canonical(char out[PERCENT_NAME_MAX], const char *name)
{
    const char *digits = name + 1;
    while (digits[0] == '0' && digits[1] >= '0') /* not the point or the end */
        digits++;
    const size_t whole = strcspn(digits, ".");
    size_t length = strlen(digits);
    while (length > whole && (digits[length - 1] == '0'))
        length--;
    length -= length == whole + 1 && digits[whole] == '.';
    if (length - (length > whole) > PERCENT_DIGITS || whole > 3 ||
        (whole == 3 && (length > 3 || strncmp(digits, "100", 3) != 0)))
        return false;
    sprintf(out, "p%.*s", (int)length, digits);
    return true;
}

const struct op *op_percentile(const char *name)
{
    char wanted[PERCENT_NAME_MAX];
    size_t i = 0;
    if (!is_number(name) || !canonical(wanted, name))
        return NULL;
    if (strcmp(wanted, name) != 0)
        return op_find(wanted);
    while (i < made_count && strcmp(made[i].name, wanted) != 0)
        i++;
    if (i == PERCENTILES_MAX)
        return NULL;
    if (i == made_count) {
        memcpy(made[i].name, wanted, sizeof wanted);
        made[i].op = *op_find("p99");
        made[i].op.name = made[i].name;
        made_count++;
    }
    return &made[i].op;
}

bool op_percentile_foreign(const char *name, struct error *e)
{
    static const char words[] =
        "quantile quantiles percentile percentiles perc pNN quartiles";
    char wanted[PERCENT_NAME_MAX];
    const bool is_one = is_number(name);
    if (!is_one && !text_has_word(words, name))
        return false;
    if (is_one && canonical(wanted, name))
        error_set(e, ERROR_USAGE, "at most %d percentiles in one run",
                  PERCENTILES_MAX);
    else if (is_one)
        error_set(e, ERROR_USAGE,
                  "percentiles go from p0 to p100, with at most %d digits; "
                  "there is no %s",
                  PERCENT_DIGITS, name);
    else
        error_set(e, ERROR_USAGE,
                  "for %s say which: median, q1, q3, or p90, p99.9, ...", name);
    return true;
}
