/* SPDX-License-Identifier: MIT */
/* Finding a member of a zip archive, such as an .npz file. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "source/compressed/inflater.h"

struct zip_member {
    char *name;      /* owned by the caller */
    uint64_t packed; /* size in the archive, from form.offset on */
    struct unpack_form form;
};

/* Lists the members of an archive, in its order and without folders: sets
 * *names, which the caller frees, to their names, each with a NUL after it. The
 * other arguments are those of zip_find. */
bool zip_names(int fd, uint64_t start, uint64_t bytes, const char *file,
               char **names, size_t *count, struct error *e);

/* Finds a member of the archive that starts at `start` of the file fd and is
 * `bytes` long. `wanted` is the member's name, also without ".npy"; NULL if the
 * archive has only one. `file` is for messages. Trusts nothing in the archive:
 * on success the member's bytes lie in the file and overlap neither another
 * member nor the directory. */
bool zip_find(int fd, uint64_t start, uint64_t bytes, const char *wanted,
              const char *file, struct zip_member *member, struct error *e);
