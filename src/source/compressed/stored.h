/* SPDX-License-Identifier: MIT */
/* A zip member that is stored can be read like any file, by many threads at
 * once; its checksum is looked at by itself. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "source/compressed/inflater.h"

/* Holds the member's bytes against its CRC, reading all of them, on up to so
 * many threads. The descriptor stays the caller's. */
bool stored_check(int fd, const char *name, const struct unpack_form *form,
                  unsigned threads, struct error *e);
