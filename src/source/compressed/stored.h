/* SPDX-License-Identifier: MIT */
/* Checking the CRC of a zip member that is stored without compression. Such a
 * member is then read like any file, by many threads. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "source/compressed/inflater.h"

/* Reads all bytes of the member, on up to `threads` threads, and compares their
 * CRC with the archive's. False with the first error. Borrows fd. */
bool stored_check(int fd, const char *name, const struct unpack_form *form,
                  unsigned threads, struct error *e);
