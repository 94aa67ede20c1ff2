/* SPDX-License-Identifier: MIT */
#include "cli/choose.h"

#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"

bool choose_unknown(const char *what, const char *word,
                    const char *(*name)(size_t i, const void *context),
                    const void *context, struct error *e)
{
    char quoted[QUOTE_MAX], list[QUOTE_MAX] = "", near[TEXT_SUGGEST_MAX];
    quote(quoted, word);
    if (*text_suggest(near, "", word, name, context))
        return error_set(e, ERROR_USAGE, "unknown %s %s%s", what, quoted, near);
    for (size_t i = 0; name(i, context); i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, " %s", name(i, context));
    }
    return error_set(e, ERROR_USAGE, "unknown %s %s; there are:%s", what,
                     quoted, list);
}

static const char *word_at(size_t i, const void *words)
{
    return ((const char *const *)words)[i];
}

bool choose(const char *what, const char *arg, const char *const *words,
            int *chosen, struct error *e)
{
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], arg) == 0) {
            *chosen = i;
            return true;
        }
    }
    return choose_unknown(what, arg, word_at, words, e);
}
