/* SPDX-License-Identifier: MIT */
/* The setters of the options that take an expression over columns. */
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/rows.h"

bool set_where(struct options *o, const char *arg, struct error *e)
{
    if (o->where)
        return error_set(e, ERROR_USAGE,
                         "--where is given twice; join conditions by &&");
    o->where = arg;
    return true;
}

bool set_map(struct options *o, const char *arg, struct error *e)
{
    if (o->map)
        return error_set(e, ERROR_USAGE,
                         "--map is given twice; for several computed columns "
                         "say -e NAME=EXPR");
    o->map = arg;
    return true;
}

static bool is_in_name(unsigned char c, bool is_first)
{
    const bool starts = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        c == '_' || c >= 0x80;
    return starts || (!is_first && ((c >= '0' && c <= '9') || c == '.'));
}

/* Returns the number of bytes of the NAME or `any name` at the start of the
 * text. */
static size_t name_bytes(const char *text)
{
    size_t n = 0;
    if (text[0] == '`') {
        const char *end = strchr(text + 1, '`');
        while (end && end[1] == '`')
            end = strchr(end + 2, '`');
        return end && end > text + 1 ? (size_t)(end + 1 - text) : 0;
    }
    while (is_in_name((unsigned char)text[n], n == 0))
        n++;
    return n;
}

/* Splits NAME=EXPR or `any name`=EXPR. Returns false if there is no name. */
static bool split(const char *arg, struct let *let)
{
    const size_t n = name_bytes(arg), quotes = n > 0 && arg[0] == '`';
    const char *at = arg + n;
    while (*at == ' ' || *at == '\t')
        at++;
    if (n == 0 || at[0] != '=' || at[1] == '=')
        return false;
    *let = (struct let){arg + quotes, n - 2 * quotes, at + 1};
    return true;
}

bool set_let(struct options *o, const char *arg, struct error *e)
{
    static const char reserved[] = "and or not in true false nan inf missing";
    char word[16] = "", quoted[QUOTE_MAX];
    struct let let;
    if (!split(arg, &let))
        return set_map(o, arg, e);
    if (o->lets == LETS_MAX)
        return error_set(e, ERROR_USAGE, "--let may be given at most %d times",
                         LETS_MAX);
    if (memchr(let.name, '`', let.bytes))
        return error_set(e, ERROR_USAGE,
                         "--let: the name of a new column has no backquotes; "
                         "choose another name");
    if (let.bytes < sizeof word)
        memcpy(word, let.name, let.bytes);
    if (arg[0] != '`' && *word && text_has_word(reserved, word))
        return error_set(e, ERROR_USAGE,
                         "--let: %s is a word of expressions; choose another "
                         "name",
                         quote(quoted, word));
    o->let[o->lets++] = let;
    return true;
}

bool set_reduce(struct options *o, const char *arg, struct error *e)
{
    if (o->reduce)
        return error_set(e, ERROR_USAGE,
                         "--reduce is given twice; ask for the other one in a "
                         "separate run");
    o->reduce = arg;
    return true;
}

FLAG(identity, o->identity = arg)
FLAG(commutative, o->commutative = true)
