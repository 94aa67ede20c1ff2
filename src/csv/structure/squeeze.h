/* SPDX-License-Identifier: MIT */
/* Replaces each run of blanks and tabs between fields by a single blank. The
 * loops do the same 64 bytes at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "csv/structure/machine.h"

#define CSV_NONE_JOINED SIZE_MAX

/* Copies a text of whole records to `to`, which has room for as many bytes, and
 * replaces each run of blanks by one. Returns the number of bytes written.
 * Leaves out blanks at the start and end of a record, and all of a comment but
 * its line end. Copies bytes inside quotes unchanged, and also blanks inside
 * field `joined`, from 0, to which surplus words are joined; CSV_NONE_JOINED:
 * none. */
size_t csv_squeeze(const char *text, size_t bytes, struct csv_dialect dialect,
                   size_t joined, char *to);

/* Maps an offset back: the offset in the text of the byte that csv_squeeze
 * moved to `squeezed`. */
size_t csv_unsqueeze(const char *text, size_t bytes, struct csv_dialect dialect,
                     size_t joined, size_t squeezed);
