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

/* Finds a member of the archive that starts at `start` of the file fd and is
 * `bytes` long. `wanted` is the member's name, also without ".npy"; NULL if the
 * archive has only one. `file` is for messages. Trusts nothing in the archive:
 * on success the member's bytes lie in the file and overlap neither another
 * member nor the directory. */
bool zip_find(int fd, uint64_t start, uint64_t bytes, const char *wanted,
              const char *file, struct zip_member *member, struct error *e);

/* All members of an archive except folders, in the order of its directory.
 * Callers that need many members use it, because zip_find searches the
 * directory for each. */
struct zip_list;

/* The arguments are those of zip_find; `file` must outlive the list. NULL on
 * failure. zip_list_free takes NULL. */
struct zip_list *zip_list_open(int fd, uint64_t start, uint64_t bytes,
                               const char *file, struct error *e);
void zip_list_free(struct zip_list *list);

size_t zip_list_count(const struct zip_list *list);

/* The name of a member, without a NUL; sets its length. */
const char *zip_list_name(const struct zip_list *list, size_t i, size_t *bytes);

/* Like zip_find, for member i of the list. fd is the archive's. */
bool zip_list_member(const struct zip_list *list, size_t i, int fd,
                     struct zip_member *member, struct error *e);
