/* SPDX-License-Identifier: MIT */
/* Closes runs of blanks and tabs between fields up to a single blank. The loops
 * do the same 64 bytes at a time. */
#pragma once

#include <stddef.h>

#include "csv/structure/machine.h"

/* Copies a text of whole records to `to`, which holds as many bytes, and closes
 * up its runs of blanks. Returns the bytes written. Blanks at the start and end
 * of a record are left out, and all of a comment but its line end. Bytes inside
 * quotes stay as they are. */
size_t csv_squeeze(const char *text, size_t bytes, struct csv_dialect dialect,
                   char *to);

/* Maps an offset back: the offset in the text of the byte that csv_squeeze
 * moved to `squeezed`. */
size_t csv_unsqueeze(const char *text, size_t bytes, struct csv_dialect dialect,
                     size_t squeezed);
