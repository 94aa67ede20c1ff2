/* SPDX-License-Identifier: MIT */
/* The setters of the options of arrays. */
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/rows.h"

/* Reads the first item of a list, which may be negative, and sets *list to the
 * rest of the list, or NULL. False if the item is not a whole number. */
static bool take_item(const char **list, bool *negative, uint64_t *value)
{
    char digits[24];
    const char *at = *list;
    *negative = *at == '-';
    at += *negative;
    const size_t n = strcspn(at, ",");
    if (n >= sizeof digits)
        return false;
    memcpy(digits, at, n);
    digits[n] = '\0';
    *list = at[n] == ',' ? at + n + 1 : NULL;
    return text_to_u64(digits, value) && *value <= INT64_MAX;
}

bool set_axis(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    const char *at = arg;
    struct axis_options *a = &o->axis;
    a->axes = 0;
    do {
        bool negative;
        uint64_t value = 0;
        if (a->axes == RANK_MAX || !take_item(&at, &negative, &value))
            return error_set(e, ERROR_USAGE,
                             "--axis takes the numbers of up to %d axes, as 0 "
                             "or 0,2; -1 is the last one; not %s",
                             RANK_MAX, quote(quoted, arg));
        a->axis[a->axes++] = negative ? -(int64_t)value : (int64_t)value;
    } while (at);
    return true;
}

bool set_shape(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    const char *at = arg;
    struct axis_options *a = &o->axis;
    unsigned opens = 0;
    a->rank = 0;
    do {
        bool negative;
        uint64_t value = 0;
        const bool ok = a->rank < RANK_MAX && take_item(&at, &negative, &value);
        opens += ok && negative;
        if (!ok || (negative && value != 1) || opens > 1)
            return error_set(e, ERROR_USAGE,
                             "--shape takes the sizes of up to %d axes, as "
                             "100,3; one may be -1, which follows from the "
                             "data; not %s",
                             RANK_MAX, quote(quoted, arg));
        a->size[a->rank++] = negative ? SIZE_OPEN : value;
    } while (at);
    return true;
}

FLAG(keepdims, o->axis.keeps = true)
