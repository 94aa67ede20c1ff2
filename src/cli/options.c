/* SPDX-License-Identifier: MIT */
#include "cli/options.h"

#include <getopt.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "cli/rows.h"
#include "cli/words.h"

enum { FIRST_ROW = 256 };

static const char *option_name(size_t i, const void *context)
{
    (void)context;
    const struct option_row *row = option_row(i);
    return row ? row->name : NULL;
}

/* Fills getopt's tables. The code of a long option is FIRST_ROW plus the number
 * of its row. */
static void make_tables(struct option *longs, char *shorts)
{
    const struct option_row *row;
    *shorts++ = ':';
    for (int i = 0; (row = option_row((size_t)i)); i++) {
        int has = !row->value            ? no_argument
                  : row->value[0] == '[' ? optional_argument
                                         : required_argument;
        *longs++ = (struct option){row->name, has, NULL, FIRST_ROW + i};
        if (row->letter) {
            *shorts++ = row->letter;
            if (has == required_argument)
                *shorts++ = ':';
        }
    }
    *longs = (struct option){0};
    *shorts = '\0';
}

static const struct option_row *row_of(int code)
{
    return code >= FIRST_ROW ? option_row((size_t)(code - FIRST_ROW))
                             : option_row_of(code);
}

/* Calls the option's setter, and notes that the option was given. */
static bool set_row(struct options *o, const struct option_row *row,
                    const char *arg, struct error *e)
{
    row = option_row_meant(row, &arg);
    const size_t i = (size_t)(row - option_row(0));
    o->given[i / 64] |= 1ull << i % 64;
    if (row->group == GROUP_TEXT && !o->input.text_option)
        o->input.text_option = row->name;
    return row->set(o, arg, e);
}

const char *options_given_of(const struct options *o, const char *list)
{
    size_t i = 0;
    while (option_row(i) && !(o->given[i / 64] >> i % 64 & 1 &&
                              text_has_word(list, option_row(i)->name)))
        i++;
    return option_row(i) ? option_row(i)->name : NULL;
}

bool options_given(const struct options *o, const char *name)
{
    return options_given_of(o, name);
}

/* Completes the list of operations: adds the summary if no operation was given,
 * and all operations for --op all. */
static bool expand_summary(struct options *o, struct error *e)
{
    const struct op *op;
    if (o->reduce && !set_op(o, "reduce", e))
        return false;
    if (o->ops == 0 && !o->asked_all)
        return set_op(o, "summary", e);
    if (o->ops > 0 && o->asked_all)
        return error_set(
            e, ERROR_USAGE,
            "--op all cannot be combined with other operations; say summary "
            "for the summary, or alltrue for whether no element "
            "is zero");
    for (size_t i = 0; o->asked_all && (op = op_at(i)); i++) {
        if (op->in_all)
            o->op[o->ops++] = op;
    }
    return true;
}

/* Lists the options that start with name. False if there are fewer than two. */
static bool list_matches(const char *name, char list[QUOTE_MAX])
{
    const struct option_row *row;
    size_t n = strlen(name), used = 0, matches = 0;
    for (size_t i = 0; (row = option_row(i)); i++) {
        if (strncmp(row->name, name, n) != 0)
            continue;
        int more = snprintf(list + used, QUOTE_MAX - used, " --%s", row->name);
        used += (size_t)more < QUOTE_MAX - used ? (size_t)more : 0;
        matches++;
    }
    return matches > 1;
}

/* Sets the error of a long option that is unknown or ambiguous. `word` is the
 * argument, with its dashes. */
static bool refuse_long(const char *word, struct error *e)
{
    char name[QUOTE_MAX], quoted[QUOTE_MAX], list[QUOTE_MAX];
    char near[TEXT_SUGGEST_MAX];
    size_t n = strcspn(word + 2, "=");
    n = n < sizeof name ? n : sizeof name - 1;
    memcpy(name, word + 2, n);
    name[n] = '\0';
    quote(quoted, word);
    /* This comes before word_option, so that an abbreviation of several
     * options, such as --e, is reported as ambiguous. */
    if (n > 0 && list_matches(name, list))
        return error_set(e, ERROR_USAGE, "option %s is ambiguous:%s", quoted,
                         list);
    if (word_option(name, e))
        return false;
    return error_set(e, ERROR_USAGE, "unknown option %s%s", quoted,
                     text_suggest(near, "--", name, option_name, NULL));
}

/* Sets the error of an argument that getopt refused with `code`; `word` is the
 * argument that it looked at. */
static bool refuse(int code, const char *word, struct error *e)
{
    char quoted[QUOTE_MAX];
    const struct option_row *row = optopt ? row_of(optopt) : NULL;
    if (code == ':' && row)
        return error_set(e, ERROR_USAGE, "option --%s needs a value: %s",
                         row->name, row->value);
    if (row && optopt >= FIRST_ROW)
        return error_set(e, ERROR_USAGE, "option --%s takes no value",
                         row->name);
    if (!optopt)
        return refuse_long(word, e);
    const char letter[3] = {'-', (char)optopt, '\0'};
    return error_set(e, ERROR_USAGE, "unknown option %s",
                     quote(quoted, letter));
}

const struct option_row *options_gather(struct options *o, int argc,
                                        char **argv)
{
    struct option longs[OPTION_ROWS_MAX + 1];
    char shorts[3 * OPTION_ROWS_MAX + 2];
    const struct option_row *waiting = NULL;
    struct error e;
    int code;
    make_tables(longs, shorts);
    opterr = 0;
    optind = 0; /* makes getopt forget the argv of an earlier call */
    while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const char *arg = optarg;
        waiting = code == ':' ? option_row_meant(row_of(optopt), &arg) : NULL;
        if (code != '?' && code != ':')
            set_row(o, row_of(code), arg, &e);
    }
    o->file = (const char *const *)argv + optind;
    o->files = (size_t)(argc - optind);
    return waiting;
}

bool options_parse(struct options *o, int argc, char **argv, struct error *e)
{
    struct option longs[OPTION_ROWS_MAX + 1];
    char shorts[3 * OPTION_ROWS_MAX + 2];
    int code;
    *o = (struct options){.action = ACTION_REDUCE};
    if (argc > 2 && strcmp(argv[1], "--complete") == 0) {
        o->action = ACTION_COMPLETE;
        o->file = (const char *const *)argv + 2;
        o->files = (size_t)argc - 2;
        return true;
    }
    make_tables(longs, shorts);
    opterr = 0;
    for (;;) {
        /* getopt moves optind past an unknown long option before it reports
         * it. */
        code = getopt_long(argc, argv, shorts, longs, NULL);
        if (code == -1)
            break;
        if (code == '?' || code == ':')
            return refuse(code, argv[optind - 1], e);
        if (!set_row(o, row_of(code), optarg, e))
            return false;
        /* --verbose prints more after --version, and may come right after
         * it. */
        if (o->action == ACTION_VERSION) {
            code = getopt_long(argc, argv, shorts, longs, NULL);
            o->verbose |= row_of(code) == row_of('v');
        }
        if (o->action != ACTION_REDUCE)
            return true;
    }
    o->file = (const char *const *)argv + optind;
    o->files = (size_t)(argc - optind);
    return expand_summary(o, e);
}
