/* SPDX-License-Identifier: MIT */
/* The fuzz targets, for libFuzzer and for replay.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "source/compressed/inflater.h"

struct target {
    const char *name; /* its folder in corpus/, too */
    void (*run)(const struct target *t, const unsigned char *p, size_t n);
    enum unpack_kind kind; /* of streams only */
    const char *format;    /* of files only; NULL: detected */
};

/* Chooses the target of LLVMFuzzerTestOneInput. False if this build has none
 * of that name. */
bool fuzz_choose(const char *name);

/* What libFuzzer calls: the first takes the name from FUZZ_TARGET. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n);
