/* SPDX-License-Identifier: MIT */
/* Where compressed bytes come from: a range of a file, or a pipe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct source {
    const char *name; /* borrowed; for messages */
    int fd;           /* borrowed */
    bool is_file;     /* a regular file, read by offset; else a pipe */
    uint64_t offset;  /* of the next byte in the file or pipe */
    uint64_t left;    /* most bytes to read; UINT64_MAX: up to the end */
};

/* Reads up to `want` bytes; from a pipe, those that are available. *got is 0
 * only at the end, or if `wake` (a descriptor, or -1) became readable while a
 * pipe had no bytes. One thread at a time. */
bool source_read(struct source *s, void *to, size_t want, int wake, size_t *got,
                 struct error *e);
