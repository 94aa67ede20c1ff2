/* SPDX-License-Identifier: MIT */
#include "cli/words.h"

#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "reduce/op.h"

bool word_option(const char *name, struct error *e)
{
    const struct op *op = name[0] && name[1] ? op_find(name) : NULL;
    return op && !error_set(e, ERROR_USAGE,
                            "--%s is an operation, not an option; say -o %s",
                            name, op->name);
}

bool word_op(const char *name, struct error *e)
{
    char quoted[QUOTE_MAX];
    quote(quoted, name);
    if (op_find(name) || op_foreign(name, NULL))
        return false;
    if (text_has_word("json jsonl csv tsv npy text", name))
        error_set(e, ERROR_USAGE,
                  "-o takes operations, not a format; say -O %s", name);
    else if (strchr(name, '('))
        error_set(
            e, ERROR_USAGE,
            "-o takes operations alone, not %s; say -c COLUMN -o OPERATION",
            quoted);
    else if (strpbrk(name, "./"))
        error_set(e, ERROR_USAGE,
                  "-o takes operations, not a file such as %s; to write the "
                  "result to a file say > FILE",
                  quoted);
    else
        return false;
    return true;
}

bool word_dtype(const char *name, struct error *e)
{
    char quoted[QUOTE_MAX];
    bool is_tab = strcmp(name, "\t") == 0 || strcmp(name, "\\t") == 0;
    if (!is_tab && (!name[0] || name[1] || !strchr(",;| :", name[0])))
        return false;
    error_set(e, ERROR_USAGE,
              "-t is the type of the numbers; for the delimiter say -d %s",
              is_tab ? "tab" : quote(quoted, name));
    return true;
}
