/* SPDX-License-Identifier: MIT */
/* The table of options. */
#include <string.h>

#include "cli/rows.h"

#define COMPUTE GROUP_COMPUTE
#define INPUT GROUP_INPUT
#define TEXT GROUP_TEXT
#define RUN GROUP_RUN
#define INFO GROUP_INFO
#define OTHER GROUP_OTHER

/* Most options do not choose between words, so their rows leave out the member
 * `words`. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

static const struct option_row rows[] = {
    {COMPUTE, true, 'o', "op", "LIST", set_op,
     "what to compute: sum,mean,max ... (default: a summary)\n"
     "Names are separated by commas; --help=ops lists them.",
     words_op},
    {COMPUTE, true, 0, "nan", "MODE", set_nan,
     "NaN in the data: propagate (default), skip or error", words_nan},
    {COMPUTE, false, 0, "empty", "MODE", set_empty,
     "an operation without a value for empty input is an\n"
     "error (default), or its identity is printed",
     words_empty},
    {COMPUTE, false, 0, "interpolation", "M", set_interpolation,
     "of a quantile between two values: linear (default),\n"
     "lower, higher, nearest or midpoint",
     words_interpolation},
    {COMPUTE, false, 0, "bins", "N", set_bins,
     "how many bins a histogram has (default: 10)"},
    {COMPUTE, false, 0, "range", "A,B", set_range,
     "the least and the greatest edge of its bins (default:\n"
     "the least and the greatest value)"},
    {COMPUTE, false, 0, "deterministic", NULL, set_deterministic,
     "exact: the same bits everywhere (default)"},
    {COMPUTE, false, 0, "fast", NULL, set_fast,
     "let float sums round within blocks, where that helps"},
    {COMPUTE, false, 0, "verify", NULL, set_verify,
     "compute twice, in another way, and compare every bit"},
    {COMPUTE, true, 0, "assert", "EXPR", set_assert,
     "exit with status 4 unless EXPR is true: 'max < 100'\n"
     "EXPR is of operations, of each column in turn; an\n"
     "operation of one column is max(price). Repeatable."},
    {COMPUTE, true, 0, "where", "EXPR", set_where,
     "only the records for which EXPR is true: 'price > 9'\n"
     "Of data without columns x is the value and i its index."},
    {COMPUTE, true, 'e', "let", "NAME=EXPR", set_let,
     "a computed column: 'total=price*qty'. Repeatable."},
    {COMPUTE, false, 0, "map", "EXPR", set_map,
     "reduce what EXPR gives for each record, and nothing\n"
     "else: 'x*x'"},
    {COMPUTE, false, 0, "reduce", "EXPR", set_reduce,
     "combine partials a and b by EXPR: 'max(a, b)'\n"
     "EXPR must be associative; the elements are those of\n"
     "--map, or the values."},
    {COMPUTE, false, 0, "identity", "VALUE", set_identity,
     "the partial that changes no other: -inf of a maximum"},
    {COMPUTE, false, 0, "commutative", NULL, set_commutative,
     "let --reduce combine records in any order"},
    {COMPUTE, true, 0, "compare", NULL, set_compare,
     "compare two FILEs number by number; exit as cmp does\n"
     "(0: the same, 1: different, 2: trouble)"},
    {COMPUTE, false, 0, "atol", "X", set_atol,
     "with --compare: numbers a and b match if |a - b| is at\n"
     "most X + Y * |b|, with Y of --rtol (default: 0)"},
    {COMPUTE, false, 0, "rtol", "Y", set_rtol,
     "the part of |b| in that (default: 0)"},
    {COMPUTE, false, 0, "axis", "LIST", set_axis,
     "reduce an array along these axes: 0, or 0,2; -1 is the\n"
     "last one. Several FILEs are joined along axis 0."},
    {COMPUTE, false, 0, "shape", "LIST", set_shape,
     "the shape of each raw FILE, as 100,3; one size may be\n"
     "-1 (default: that of the .npy header)"},
    {COMPUTE, false, 0, "keepdims", NULL, set_keepdims,
     "keep the axes that --axis reduces, with size 1"},
    {COMPUTE, false, 0, "keys", "FILE", set_keys,
     "a result for each key of FILE, raw data or .npy, which\n"
     "has a key for each element; as --by for text"},
    {COMPUTE, false, 0, "keys-dtype", "TYPE", set_keys_dtype,
     "type of its keys (default: as --dtype, but never f32\n"
     "for want of another)",
     words_dtype},
    {COMPUTE, false, 0, "order", "ORDER", set_order,
     "of the keys: key (default: numbers by value, texts) or\n"
     "first, as the data have them",
     words_order},
    {COMPUTE, true, 0, "per-file", NULL, set_per_file,
     "one result for each FILE, not one for all together"},
    {COMPUTE, false, 0, "save-state", "FILE", set_save_state,
     "write what was computed to FILE, for --merge, and print\n"
     "nothing"},
    {COMPUTE, false, 0, "merge", NULL, set_merge,
     "the FILEs are of --save-state: print the results of all\n"
     "data; they come in the order of the FILEs"},
    {COMPUTE, true, 'O', "output-format", "FMT", set_output_format,
     "text (default), json, jsonl, csv, tsv or npy", words_output_format},
    {COMPUTE, true, 0, "digits", "N", set_digits,
     "round results that are not integers to N decimals"},
    {COMPUTE, false, 0, "json", NULL, set_json, "the same as -O json"},
    {INPUT, true, 't', "dtype", "TYPE", set_dtype,
     "type: f32 f64 i16 u8 float ...; '>i2' is big-endian\n"
     "These are NumPy's codes: <f4 >i2 |u1. Default: the .npy\n"
     "header's, else the suffix's, else f32; of text f64.",
     words_dtype},
    {INPUT, false, 'f', "format", "FMT", set_format,
     "auto, raw, npy, safetensors, csv or tsv (default: auto)", words_format},
    {INPUT, false, 0, "files0-from", "FILE", set_files0_from,
     "read the names of the FILEs from this one, or from -;\n"
     "each ends with NUL, as from find -print0"},
    {INPUT, false, 0, "skip-bytes", "SIZE", set_skip_bytes,
     "ignore the first SIZE bytes of each raw FILE"},
    {INPUT, false, 0, "part", "R/N", set_part,
     "read the part R, from 1, of N parts of the FILEs, which\n"
     "are cut between elements or records"},
    {TEXT, true, 'c', "columns", "LIST", set_columns,
     "columns to use: names, numbers, ranges: price,3,5-7\n"
     "(default: all columns of numbers; those of text have\n"
     "count, n_missing, first, last, nunique and mode)",
     words_columns},
    {TEXT, true, 'x', "exclude", "LIST", set_exclude,
     "columns to leave out, given as in --columns", words_columns},
    {TEXT, true, 'g', "by", "COLUMNS", set_by,
     "a result for each key, a line each: the texts of these\n"
     "columns, given as in --columns, or values of --let;\n"
     "-o rows counts records",
     words_columns},
    {TEXT, false, 0, "weights", "COLUMN", set_weights,
     "how often each record counts, for sum, mean, var, std,\n"
     "var_pop and std_pop: a column of numbers from 0 on",
     words_columns},
    {TEXT, true, 'd', "delimiter", "CHAR", set_delimiter,
     "what separates fields: one character, or tab, or blank\n"
     "for runs of blanks and tabs (default: auto)",
     words_delimiter},
    {TEXT, true, 0, "header", "MODE", set_header,
     "whether the first record has names: auto, yes or no", words_header},
    {TEXT, false, 0, "decimal", "CHAR", set_decimal,
     "the decimal mark: ',' reads 1,5 as one and a half"},
    {TEXT, false, 0, "thousands", "CHAR", set_thousands,
     "the mark between thousands: ',' reads 1,500 as 1500"},
    {TEXT, false, 0, "strip", "CHARS", set_strip,
     "characters to drop around a number: '$%' reads $5\n"
     "With '()' in it, (5) is -5."},
    {TEXT, false, 0, "comment", "CHAR", set_comment,
     "ignore records that start with CHAR"},
    {TEXT, false, 0, "skip-lines", "N", set_skip_lines,
     "ignore the first N lines of each FILE"},
    {TEXT, false, 0, "quote", "CHAR", set_quote,
     "what quotes fields: one character, or none (default: \")", words_quote},
    {TEXT, true, 0, "na", "LIST", set_na,
     "more words for a missing value, such as -,-999\n"
     "(always: an empty cell; of numbers NA N/A n/a <NA> #N/A\n"
     "null NULL None \\N)"},
    {TEXT, false, 0, "na-only", "LIST", set_na_only,
     "the only words for a missing value, in place of those"},
    {TEXT, false, 0, "missing", "MODE", set_missing,
     "what a missing value is: skip (default) or error", words_missing},
    {TEXT, false, 0, "bad", "MODE", set_bad,
     "cells that are not numbers: error (default), or skip", words_bad},
    {TEXT, false, 0, "ragged", "MODE", set_ragged,
     "records with more or fewer fields than the first:\n"
     "error (default), skip, or pad (missing cells are added)",
     words_ragged},
    {RUN, true, 0, "device", "DEVICE", set_device,
     "auto (default), cpu, cuda, cuda:N,... or cuda:all\n"
     "gpu means cuda.",
     words_device},
    {RUN, false, 'j', "threads", "N", set_threads,
     "host threads (default: all cores it may run on)"},
    {RUN, false, 0, "chunk-size", "SIZE", set_chunk_size,
     "bytes per chunk, K M G allowed; never changes a result"},
    {INFO, false, 0, "progress", "WHEN", set_progress,
     "auto, always or never: a bar on stderr (default: auto:\n"
     "on a terminal, after a second)",
     words_progress},
    {INFO, true, 0, "explain", NULL, set_explain,
     "print how FILE would be read, and on which device"},
    {INFO, false, 'v', "verbose", NULL, set_verbose, "time and rate on stderr"},
    {INFO, false, 'q', "quiet", NULL, set_quiet,
     "nothing but errors on stderr"},
    {INFO, false, 0, "list", NULL, set_list, "list operations and dtypes"},
    {INFO, false, 'h', "help", "[TOPIC]", set_help,
     "this help; TOPIC: options, ops, text or all", words_help},
    {INFO, false, 'V', "version", NULL, set_version, "print the version"},
    {OTHER, false, 'F', "sep", "CHAR", NULL, "--delimiter"},
    {OTHER, false, 'W', "whitespace", NULL, NULL, "--delimiter blank"},
    {OTHER, false, 'H', "header-in", NULL, NULL, "--header yes"},
    {OTHER, false, 0, "no-header", NULL, NULL, "--header no"},
    {OTHER, false, 0, "fields", "LIST", NULL, "--columns"},
    {OTHER, false, 0, "group-by", "COLUMNS", NULL, "--by"},
    {OTHER, false, 0, "narm", NULL, NULL, "--nan skip"},
    {OTHER, false, 'R', "round", "N", NULL, "--digits"},
    {OTHER, false, 0, "ojson", NULL, NULL, "--output-format json"},
    {OTHER, false, 0, "filter", "EXPR", NULL, "--where"},
    {OTHER, false, 0, "skipna", NULL, NULL, "--nan skip"},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

_Static_assert((int)ROWS <= (int)OPTION_ROWS_MAX,
               "OPTION_ROWS_MAX in rows.h is too small");

const struct option_row *option_row(size_t i)
{
    return i < ROWS ? &rows[i] : NULL;
}

const struct option_row *option_row_of(int letter)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].letter == letter)
            return &rows[i];
    }
    return NULL;
}

const struct option_row *option_row_meant(const struct option_row *row,
                                          const char **arg)
{
    if (row->group != GROUP_OTHER)
        return row;
    const char *name = row->help + strlen("--");
    size_t n = strcspn(name, " ");
    size_t i = 0;
    while (strlen(rows[i].name) != n || memcmp(rows[i].name, name, n) != 0)
        i++;
    *arg = name[n] ? name + n + 1 : *arg;
    return &rows[i];
}
