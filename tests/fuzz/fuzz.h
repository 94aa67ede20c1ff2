/* SPDX-License-Identifier: MIT */
/* The fuzz targets, for libFuzzer and for replay.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "source/compressed/inflater.h"

struct options;
struct target;
typedef void fuzz_fn(const struct target *t, const unsigned char *p, size_t n);

struct target {
    const char *name; /* its folder in corpus/, too */
    fuzz_fn *run;
    enum unpack_kind kind; /* of streams only */
    const char *format;    /* of files only; NULL: detected */
};

fuzz_fn run_cells, run_states, run_program, run_options, run_structure,
    run_numbers;

/* Chooses the target of LLVMFuzzerTestOneInput. False if this build has none
 * of that name. */
bool fuzz_choose(const char *name);

/* Makes the bytes a file in memory, in place of those before. Returns its path,
 * which is always the same. */
const char *save(const unsigned char *p, size_t n);

/* options_parse, for a process that parses more than once. */
bool read_options(struct options *o, int argc, char **argv, struct error *e);

/* Prints both answers and aborts. */
void wrong(const char *what, const char *mine, const char *theirs);

/* Aborts unless the error is one of data or of usage, with a text. */
void check_error(const struct error *e);

/* What libFuzzer calls: the first takes the name from FUZZ_TARGET. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);
