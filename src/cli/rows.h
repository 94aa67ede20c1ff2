/* SPDX-License-Identifier: MIT */
/* The table of options, as parsing and --help see it. */
#pragma once

#include "cli/options.h"

/* Sets what the option means: false with the error filled. arg is NULL for an
 * option that takes no value, or whose optional value is not given. */
typedef bool set_fn(struct options *o, const char *arg, struct error *e);

/* The sections of --help=options. */
enum option_group {
    GROUP_COMPUTE,
    GROUP_INPUT,
    GROUP_TEXT,
    GROUP_RUN,
    GROUP_INFO,
    /* Words of other tools: in --help=all only. Their help is the option that
     * they stand for, with its value if they take none. */
    GROUP_OTHER,
    GROUPS_END
};

struct option_row {
    enum option_group group;
    bool is_common; /* in the short --help, with its first help line */
    char letter;    /* or 0 */
    const char *name;
    const char *value; /* name of the argument; in [] if optional; or NULL */
    set_fn *set;       /* NULL in GROUP_OTHER */
    const char *help;  /* lines */
};

enum { OPTION_ROWS_MAX = 64 };

/* NULL past the last. */
const struct option_row *option_row(size_t i);

set_fn set_op, set_assert, set_dtype, set_format, set_skip_bytes, set_nan,
    set_empty, set_deterministic, set_fast, set_per_file, set_verify,
    set_output_format, set_json, set_digits;
set_fn set_columns, set_exclude, set_delimiter, set_header, set_decimal,
    set_thousands, set_strip, set_comment, set_skip_lines, set_quote, set_na,
    set_na_only, set_missing, set_bad, set_ragged;
set_fn set_device, set_threads, set_chunk_size, set_progress, set_explain,
    set_verbose, set_quiet, set_list, set_help, set_version;

/* Defines set_NAME for an option that takes one of some words. The statement
 * stores the position of the word, `which`. */
#define CHOICE(name, statement, ...)                                     \
    bool set_##name(struct options *o, const char *arg, struct error *e) \
    {                                                                    \
        static const char *const words[] = {__VA_ARGS__, NULL};          \
        int which = 0;                                                   \
        bool ok = choose("value of --" #name, arg, words, &which, e);    \
        statement;                                                       \
        return ok;                                                       \
    }

/* Defines set_NAME for an option without a value. */
#define FLAG(name, statement)                                            \
    bool set_##name(struct options *o, const char *arg, struct error *e) \
    {                                                                    \
        (void)arg, (void)e;                                              \
        statement;                                                       \
        return true;                                                     \
    }
