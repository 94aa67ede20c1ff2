/* SPDX-License-Identifier: MIT */
/*
 * argv to options. One table of rows drives parsing and --help, and with that
 * the test of the man page. Whether options go together is the plan's matter.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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
    ACTION_COMPLETE /* of a shell's line: plan/complete.h */
};
enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };
enum help_topic { HELP_SHORT, HELP_OPS, HELP_TEXT, HELP_ALL, HELP_OPTIONS };

enum { ASSERTIONS_MAX = 16 };

struct options {
    enum action action;
    uint64_t given; /* bit i: the option of row i is on the line */
    enum help_topic help;
    const struct op *op[OPS_MAX]; /* in the order asked, each once */
    size_t ops;
    uint64_t named; /* bit i: op[i] was asked for by its own name */
    bool summary;   /* --op summary, or no --op: ops in its order */
    bool asked_all; /* --op all */
    /* As asked: the plan adds what it knows. */
    struct input_settings input;
    struct csv_settings csv;
    const char *assertion[ASSERTIONS_MAX];
    size_t assertions;
    enum nan_mode nan;
    enum empty_mode empty;
    enum output_format form;
    bool has_digits;
    uint64_t digits;
    bool deterministic, fast;      /* as asked, both false by default */
    const struct backend *backend; /* NULL: auto */
    int device[DEVICES_MAX]; /* numbers of those asked for, 0 by default */
    unsigned devices;
    bool all_devices;
    uint64_t threads;         /* 0: all cores */
    uint64_t chunk_size;      /* bytes, 0: tuned */
    char decimal;             /* 0: the default, a point */
    const char *thousands;    /* one UTF-8 character, or NULL */
    const char *strip;        /* characters, or NULL */
    const char *na, *na_only; /* lists that add and replace, or NULL */
    enum progress_when progress;
    bool per_file, verify, explain, verbose, quiet;
    bool compare;
    double atol, rtol; /* of --compare */
    /* Borrowed from argv; for ACTION_COMPLETE what follows --complete. */
    const char *const *file;
    size_t files;
    const char *files0_from; /* a list of names, or NULL */
};

/* Fills options from argv, whose operands it may permute. */
bool options_parse(struct options *o, int argc, char **argv, struct error *e);

struct option_row;

/* Whether the option of that long name is on the line. */
bool options_given(const struct options *o, const char *name);

/* Of a line that is still being typed: sets what can be set and passes over
 * what is wrong, as options_parse otherwise. argv[0] is not looked at. Returns
 * the option whose value comes next, or NULL. *o must be zeroed or be filled by
 * an earlier call. */
const struct option_row *options_gather(struct options *o, int argc,
                                        char **argv);

/* --help and --list. */
void options_help(FILE *to, enum help_topic topic);
void options_list(FILE *to);
