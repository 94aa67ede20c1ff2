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
    bool is_file;     /* read by offset; else in order */
    uint64_t offset;  /* of the next byte */
    uint64_t left;    /* bytes, at most; UINT64_MAX: up to the end */
};

/* Reads up to `want` bytes, of a pipe what there is; none only at the end. A
 * wait for a pipe ends, with none, when `wake` (a descriptor; or -1) has
 * something to read. */
bool source_read(struct source *s, void *to, size_t want, int wake, size_t *got,
                 struct error *e);
