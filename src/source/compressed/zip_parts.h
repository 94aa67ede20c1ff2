/* SPDX-License-Identifier: MIT */
/* What zip.c and zip_list.c share. */
#pragma once

#include "source/compressed/directory.h"
#include "source/compressed/zip.h"

bool zip_is_folder(const struct entry *entry);

/* Fails unless the member can be read: not encrypted, stored or deflated. */
bool zip_check_kind(const struct archive *a, const struct entry *entry,
                    struct error *e);

/* Finds where the member's own header ends and its data start. The header must
 * agree with the directory. */
bool zip_find_data(const struct archive *a, const struct entry *entry,
                   uint64_t *data, struct error *e);

/* The least offset at which the member can end; UINT64_MAX if it overflows. */
uint64_t zip_least_end(const struct entry *entry);

/* Sets *member, whose name the caller owns. */
bool zip_set_member(const struct archive *a, const struct entry *entry,
                    uint64_t data, struct zip_member *member, struct error *e);
