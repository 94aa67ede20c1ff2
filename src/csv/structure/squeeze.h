/* SPDX-License-Identifier: MIT */
/* Text whose fields are separated by runs of blanks and tabs, made one in which
 * a single blank separates them. The loops do the same 64 bytes at a time. */
#pragma once

#include <stddef.h>

#include "csv/structure/machine.h"

/* Writes whole records to `to`, of as many bytes; returns how many there are
 * then. No blank is left at the ends of a record, and of a comment nothing but
 * its line end. What is in quotes stays as it is. */
size_t csv_squeeze(const char *text, size_t bytes, struct csv_dialect dialect,
                   char *to);

/* Where the byte is in the text that is at `squeezed` after that. */
size_t csv_unsqueeze(const char *text, size_t bytes, struct csv_dialect dialect,
                     size_t squeezed);
