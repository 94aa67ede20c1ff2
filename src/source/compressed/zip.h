/* SPDX-License-Identifier: MIT */
/* The directory of a zip archive, such as .npz: where a member's bytes are. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "source/compressed/inflater.h"

struct zip_member {
    char *name;      /* to be freed */
    uint64_t packed; /* bytes in the archive, from form.offset on */
    struct unpack_form form;
};

/* Finds a member of the archive that is the file fd from `start` on, `bytes`
 * long. `wanted` is its name, or that less ".npy"; NULL: there is but one.
 * `file` is for messages. Trusts nothing: the member's bytes lie in the file
 * and nowhere in another member or the directory. */
bool zip_find(int fd, uint64_t start, uint64_t bytes, const char *wanted,
              const char *file, struct zip_member *member, struct error *e);
