/* SPDX-License-Identifier: MIT */
/* The setter of the operations. */
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/choose.h"
#include "cli/rows.h"
#include "cli/words.h"

/* Some places stay free for operations that the output adds. */
enum { ASKED_MAX = OPS_MAX - 8 };

static bool add_op(struct options *o, const struct op *op, struct error *e)
{
    size_t i = 0;
    while (i < o->ops && o->op[i] != op)
        i++;
    if (i == ASKED_MAX)
        return error_set(e, ERROR_USAGE,
                         "at most %d operations in one run; ask for %s in "
                         "another",
                         ASKED_MAX, op->name);
    if (i == o->ops)
        o->op[o->ops++] = op;
    o->named |= 1ull << i;
    return true;
}

const char *words_op(size_t i, const void *context)
{
    static const char *const groups[] = {"summary", "all", "describe"};
    const struct op *op = i < 3 ? NULL : op_at(i - 3);
    (void)context;
    return i < 3 ? groups[i] : op ? op->name : NULL;
}

static const char *synonym(size_t i, const void *context)
{
    (void)context;
    return op_synonym(i);
}

/* Sets the error, which suggests a name rather than a synonym. */
static bool unknown_op(const char *name, struct error *e)
{
    char quoted[QUOTE_MAX], near[TEXT_SUGGEST_MAX];
    if (!*text_suggest(near, "", name, words_op, NULL) &&
        *text_suggest(near, "", name, synonym, NULL))
        return error_set(e, ERROR_USAGE, "unknown operation %s%s",
                         quote(quoted, name), near);
    return choose_unknown("operation", name, words_op, NULL, e);
}

static bool add_op_named(struct options *o, const char *name, struct error *e)
{
    const struct op *op = op_find(name);
    if (strcmp(name, "summary") == 0) {
        uint64_t named = o->named;
        bool ok = set_op(o, op_summary, e);
        o->summary = true;
        o->named = named;
        return ok;
    }
    if (strcmp(name, "describe") == 0) {
        o->describes = true;
        return set_op(o, op_describe, e);
    }
    if (strcmp(name, "all") == 0) {
        o->asked_all = true;
        return true;
    }
    if (!op)
        return !op_foreign(name, e) && unknown_op(name, e);
    return add_op(o, op, e);
}

bool set_op(struct options *o, const char *arg, struct error *e)
{
    char name[QUOTE_MAX];
    for (;;) {
        size_t n = strcspn(arg, ",");
        if (n >= sizeof name)
            return error_set(e, ERROR_USAGE, "name of an operation too long");
        memcpy(name, arg, n);
        name[n] = '\0';
        if (word_op(name, e) || !add_op_named(o, name, e))
            return false;
        if (arg[n] == '\0')
            return true;
        arg += n + 1;
    }
}
