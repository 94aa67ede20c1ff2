/* SPDX-License-Identifier: MIT */
/* The table of options, as parsing, --help and completion use it. */
#pragma once

#include "cli/options.h"

/* Sets the option's fields of *o. Returns false with the error. arg is NULL if
 * the option takes no value, or if an optional value is not given. */
typedef bool set_fn(struct options *o, const char *arg, struct error *e);

/* Returns word i of those that an option takes as its value, NULL after the
 * last. For column names, `context` is the table or NULL; other lists ignore
 * it. */
typedef const char *words_fn(size_t i, const void *context);

/* The sections of --help=options. */
enum option_group {
    GROUP_COMPUTE,
    GROUP_INPUT,
    GROUP_TEXT,
    GROUP_RUN,
    GROUP_INFO,
    /* Options of other tools, shown only by --help=all. Their `help` is the
     * option of gpureduce that they mean, with a value if they take none. */
    GROUP_OTHER,
    GROUPS_END
};

struct option_row {
    enum option_group group;
    /* The short --help shows the option, with the first line of `help`. */
    bool is_common;
    char letter; /* short option, or 0 */
    const char *name;
    /* Name of the value; in [] if the value is optional; NULL if there is none.
     * A LIST is separated by commas, a FILE names one file. */
    const char *value;
    set_fn *set;      /* NULL in GROUP_OTHER */
    const char *help; /* lines, separated by LF */
    words_fn *words;  /* the words it takes; NULL: any value */
};

enum { OPTION_ROWS_MAX = 128 }; /* options.given has a bit for each */

/* Returns row i; NULL after the last. */
const struct option_row *option_row(size_t i);

/* The option with this letter, or NULL. */
const struct option_row *option_row_of(int letter);

/* For an option of another tool: returns the row of the option that it means,
 * and sets *arg if that option has a value and the word implies it. Returns any
 * other row as it is. */
const struct option_row *option_row_meant(const struct option_row *row,
                                          const char **arg);

set_fn set_op, set_assert, set_weights, set_dtype, set_format, set_files0_from,
    set_skip_bytes, set_nan, set_empty, set_deterministic, set_fast,
    set_per_file, set_compare, set_atol, set_rtol, set_verify,
    set_output_format, set_json, set_digits, set_interpolation, set_bins,
    set_range;
set_fn set_by, set_order, set_columns, set_exclude, set_delimiter, set_header,
    set_decimal, set_thousands, set_strip, set_comment, set_skip_lines,
    set_quote, set_na, set_na_only, set_missing, set_bad, set_ragged;
set_fn set_device, set_threads, set_chunk_size, set_progress, set_explain,
    set_verbose, set_quiet, set_list, set_help, set_version;
set_fn set_keys, set_keys_dtype;
set_fn set_save_state, set_merge, set_part;
set_fn set_axis, set_shape, set_keepdims;
set_fn set_where, set_let, set_map, set_reduce, set_identity, set_commutative;
words_fn words_op, words_output_format, words_nan, words_empty, words_dtype,
    words_interpolation, words_format, words_columns, words_delimiter,
    words_header, words_order, words_quote, words_missing, words_bad,
    words_ragged, words_device, words_progress, words_help;

/* Defines set_NAME and words_NAME for an option that takes one of some words.
 * `statement` stores `which`, the position of the word. */
#define CHOICE(name, statement, ...)                                        \
    static const char *const list_##name[] = {__VA_ARGS__, NULL};           \
    const char *words_##name(size_t i, const void *context)                 \
    {                                                                       \
        (void)context;                                                      \
        return list_##name[i];                                              \
    }                                                                       \
    bool set_##name(struct options *o, const char *arg, struct error *e)    \
    {                                                                       \
        int which = 0;                                                      \
        bool ok = choose("value of --" #name, arg, list_##name, &which, e); \
        statement;                                                          \
        return ok;                                                          \
    }

/* Defines set_NAME for an option without a value, or whose value, `arg`, is
 * checked later. */
#define FLAG(name, statement)                                            \
    bool set_##name(struct options *o, const char *arg, struct error *e) \
    {                                                                    \
        (void)arg, (void)e;                                              \
        statement;                                                       \
        return true;                                                     \
    }
