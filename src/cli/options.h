/* SPDX-License-Identifier: MIT */
/*
 * Parses argv into options. One table of rows drives parsing, --help, and the
 * test of the man page. The plan decides whether options can be combined.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "axis/geometry.h"
#include "base/error.h"
#include "format/input.h"
#include "output/formats.h"
#include "reduce/op.h"

enum { DEVICES_MAX = 16 };

struct backend;

enum action {
    ACTION_REDUCE,
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_LIST,
    ACTION_COMPLETE /* of a line in a shell: plan/complete.h */
};
enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };
enum help_topic { HELP_SHORT, HELP_OPS, HELP_TEXT, HELP_ALL, HELP_OPTIONS };

enum { ASSERTIONS_MAX = 16, LETS_MAX = 60 };

/* NAME=EXPR, borrowed. */
struct let {
    const char *name;
    size_t bytes; /* of the name */
    const char *expr;
};

/* As the user gave them. The plan checks them against the data. */
struct axis_options {
    int64_t axis[RANK_MAX];  /* [axes]; negative: from the end */
    unsigned axes;           /* 0: --axis is not given */
    uint64_t size[RANK_MAX]; /* [rank] of --shape; SIZE_OPEN: -1 */
    unsigned rank;           /* 0: not given */
    bool keeps;              /* --keepdims */
};

struct options {
    enum action action;
    /* A bit for each row of the option table: the option was given. */
    uint64_t given[2];
    enum help_topic help;
    const struct op *op[OPS_MAX]; /* [ops]: in the order given, each once */
    size_t ops;
    /* Bit i: op[i] was given by name, not as part of the summary. */
    uint64_t named;
    bool summary;   /* --op summary, or no --op; `op` has the summary's order */
    bool asked_all; /* --op all */
    bool describes; /* --op describe: its ops were asked for by name */
    /* As the user gave them; the plan completes copies. */
    struct input_settings input;
    struct csv_settings csv;
    const char *assertion[ASSERTIONS_MAX];
    size_t assertions;
    const char *where, *map;       /* expressions, borrowed; or NULL */
    const char *reduce, *identity; /* the same */
    bool commutative;
    struct let let[LETS_MAX];
    size_t lets;
    struct axis_options axis;
    bool by_first;                    /* --order first */
    const char *keys;                 /* borrowed; a file of keys, or NULL */
    struct input_settings keys_input; /* its dtype, if --keys-dtype is given */
    enum nan_mode nan;
    enum empty_mode empty;
    enum interpolation interpolation; /* for quantiles */
    uint64_t bins;   /* number of bins of a histogram; 0: the default */
    double range[2]; /* of the bins, if --range is given */
    enum output_format form;
    bool has_digits;
    uint64_t digits;
    bool deterministic, fast;      /* as given; false by default */
    const struct backend *backend; /* NULL: auto */
    /* [devices]: the numbers given; only device 0 by default. */
    int device[DEVICES_MAX];
    unsigned devices;
    bool all_devices;
    uint64_t threads;      /* 0: all cores */
    uint64_t chunk_size;   /* bytes; 0: the backend's default */
    char decimal;          /* 0: the default, a point */
    const char *thousands; /* one UTF-8 character, borrowed; or NULL */
    const char *strip;     /* characters, borrowed; or NULL */
    /* Borrowed lists that add to and replace the default words, or NULL. */
    const char *na, *na_only;
    enum progress_when progress;
    bool per_file, verify, explain, verbose, quiet;
    const char *save; /* --save-state, borrowed; or NULL */
    bool merge;
    uint64_t part, parts; /* --part: R and N; 0: not given */
    bool of_rank;    /* gpureduce-mpi: these are the options of a rank's part */
    bool keeps_keys; /* that rank keeps its keys, and saves no state of them */
    bool guesses;    /* where it starts in a text: see plan/cut.h */
    bool compare;
    double atol, rtol; /* of --compare */
    /* Operands, borrowed from argv. With ACTION_COMPLETE, the arguments after
     * --complete. */
    const char *const *file;
    size_t files;
    /* Borrowed; a file with the names of FILEs, or NULL. */
    const char *files0_from;
};

/* Fills *o from argv, whose operands it may permute. *o borrows from argv.
 * Stops at an option that asks for another action, such as --help. Returns
 * false with the error. */
bool options_parse(struct options *o, int argc, char **argv, struct error *e);

struct option_row;

/* Whether the option with that long name was given. */
bool options_given(const struct options *o, const char *name);

/* The first option given of a list, in the order of the table of options; NULL:
 * none was. */
const char *options_given_of(const struct options *o, const char *list);

/* Like options_parse, for a line that is still being typed: sets the valid
 * options and ignores errors. argv[0] is not used. Returns the option whose
 * value comes next, or NULL. *o must be zeroed or filled by an earlier call. */
const struct option_row *options_gather(struct options *o, int argc,
                                        char **argv);

/* Print --help and --list. */
void options_help(FILE *to, enum help_topic topic);
void options_list(FILE *to);
