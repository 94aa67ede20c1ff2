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
#include "format/format.h"
#include "reduce/op.h"

enum { DEVICES_MAX = 16 };

struct backend;

enum action { ACTION_REDUCE, ACTION_HELP, ACTION_VERSION, ACTION_LIST };
enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };
enum help_topic { HELP_SHORT, HELP_OPS, HELP_TEXT, HELP_ALL, HELP_OPTIONS };

/* Values of delimiter and quote beyond the bytes. */
enum { OPTION_BLANK = 256, OPTION_NO_QUOTE = 256 };

struct options {
    enum action action;
    enum help_topic help;
    const struct op *op[OPS_MAX]; /* in the order asked, each once */
    size_t ops;
    uint64_t named; /* bit i: op[i] was asked for by its own name */
    bool summary;   /* --op summary, or no --op: ops in its order */
    bool asked_all; /* --op all */
    bool has_dtype, has_order, big_endian;
    bool is_bool; /* the dtype is u8, of 0 and 1 */
    enum dtype dtype;
    const struct format *format; /* NULL: auto */
    enum nan_mode nan;
    enum empty_mode empty;
    bool deterministic, fast;      /* as asked, both false by default */
    const struct backend *backend; /* NULL: auto */
    int device[DEVICES_MAX]; /* numbers of those asked for, 0 by default */
    unsigned devices;
    bool all_devices;
    uint64_t threads;    /* 0: all cores */
    uint64_t chunk_size; /* bytes, 0: tuned */
    uint64_t skip_bytes;
    /* Text. The first option given that is for text alone, or NULL. */
    const char *text_option;
    const char *columns, *exclude; /* lists as given, or NULL */
    int delimiter;                 /* a byte; 0: auto; or OPTION_BLANK */
    int quote;                     /* a byte; 0: not given; OPTION_NO_QUOTE */
    int comment;                   /* a byte, or 0: none */
    char decimal;                  /* 0: the default, a point */
    const char *thousands;         /* one UTF-8 character, or NULL */
    const char *strip;             /* characters, or NULL */
    const char *na, *na_only;      /* lists that add and replace, or NULL */
    uint64_t skip_lines;
    enum csv_header header;
    enum csv_ragged ragged;
    bool missing_is_error, skip_bad;
    enum progress_when progress;
    bool per_file, verify, explain, verbose, quiet;
    const char *const *file; /* borrowed from argv */
    size_t files;
};

/* Fills options from argv, whose operands it may permute. */
bool options_parse(struct options *o, int argc, char **argv, struct error *e);

/* --help and --list. */
void options_help(FILE *to, enum help_topic topic);
void options_list(FILE *to);
