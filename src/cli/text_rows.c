/* SPDX-License-Identifier: MIT */
/* The setters of the options that say how text is read. */
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/choose.h"
#include "cli/rows.h"
#include "csv/schema/sniff.h"

FLAG(columns, o->csv.columns = arg)
FLAG(exclude, o->csv.exclude = arg)
FLAG(weights, o->csv.weights = arg)
FLAG(by, o->csv.by = arg)
FLAG(strip, o->strip = arg)
FLAG(na, o->na = arg)
FLAG(na_only, o->na_only = arg)

CHOICE(order, o->by_first = which == 1, "key", "first")
CHOICE(header, o->csv.header = (enum csv_header)which, "auto", "yes", "no")
CHOICE(missing, o->csv.spec.missing_is_error = which == 1, "skip", "error")
CHOICE(bad, o->csv.spec.skip_bad = which == 1, "error", "skip")
CHOICE(ragged, o->csv.spec.ragged = (enum csv_ragged)which, "error", "skip",
       "pad")

const char *words_columns(size_t i, const void *context)
{
    const struct csv_table *table = context;
    return table && i < table->fields ? table->name[i] : NULL;
}

/* Words for bytes that are hard to type, and for delimiters that are not a
 * byte. */
static const struct {
    const char *word;
    int value;
} delimiters[] = {
    {"\\t", '\t'}, {"tab", '\t'},  {"comma", ','},       {"semicolon", ';'},
    {"pipe", '|'}, {"space", ' '}, {"blank", CSV_BLANK}, {"auto", 0},
};

enum { DELIMITERS = sizeof delimiters / sizeof delimiters[0] };

const char *words_delimiter(size_t i, const void *context)
{
    (void)context;
    return i < DELIMITERS ? delimiters[i].word : NULL;
}

const char *words_quote(size_t i, const void *context)
{
    (void)context;
    return i == 0 ? "none" : NULL;
}

/* Sets *byte to the byte of arg. False with the error unless arg is one ASCII
 * byte other than CR and LF. */
static bool one_byte(const char *option, const char *arg, int *byte,
                     struct error *e)
{
    char quoted[QUOTE_MAX];
    *byte = (unsigned char)arg[0];
    if (strlen(arg) == 1 && *byte < 0x80 && !strchr("\n\r", arg[0]))
        return true;
    return error_set(e, ERROR_USAGE,
                     "--%s takes one ASCII character other than CR and LF, "
                     "not %s",
                     option, quote(quoted, arg));
}

static bool bad_delimiter(const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    return error_set(e, ERROR_USAGE,
                     "--delimiter takes a single byte other than a quote, CR "
                     "or LF, not %s; there are also the words tab, comma, "
                     "semicolon, pipe, space, blank (runs of blanks) and "
                     "auto%s",
                     quote(quoted, arg),
                     arg[0] && arg[0] != '"' && arg[1]
                         ? "; replace a longer one first: sed "
                           "'s/LONGER/\\t/g' FILE | gpureduce -d tab"
                         : "");
}

bool set_delimiter(struct options *o, const char *arg, struct error *e)
{
    for (size_t i = 0; i < DELIMITERS; i++) {
        if (strcmp(arg, delimiters[i].word) == 0) {
            o->csv.delimiter = delimiters[i].value;
            return true;
        }
    }
    o->csv.delimiter = (unsigned char)arg[0];
    return (strlen(arg) == 1 && !strchr("\"\n\r", arg[0])) ||
           bad_delimiter(arg, e);
}

bool set_decimal(struct options *o, const char *arg, struct error *e)
{
    int byte;
    bool ok = one_byte("decimal", arg, &byte, e);
    o->decimal = (char)byte;
    return ok;
}

bool set_comment(struct options *o, const char *arg, struct error *e)
{
    return one_byte("comment", arg, &o->csv.comment, e);
}

bool set_quote(struct options *o, const char *arg, struct error *e)
{
    o->csv.quote = CSV_NO_QUOTE;
    return strcmp(arg, "none") == 0 || one_byte("quote", arg, &o->csv.quote, e);
}

bool set_thousands(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    o->thousands = arg;
    size_t n = arg[0] ? csv_character(arg, strlen(arg), true) : 0;
    if (n > 0 && arg[n] == '\0' && !strchr("\n\r", arg[0]))
        return true;
    return error_set(e, ERROR_USAGE,
                     "--thousands takes one character such as , or ', not %s",
                     quote(quoted, arg));
}

bool set_skip_lines(struct options *o, const char *arg, struct error *e)
{
    char quoted[QUOTE_MAX];
    return text_to_u64(arg, &o->csv.skip_lines) ||
           error_set(e, ERROR_USAGE,
                     "--skip-lines takes a number of lines, not %s",
                     quote(quoted, arg));
}
