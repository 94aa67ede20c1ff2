/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/error.h"
#include "source/compressed/inflater.h"

/* Call after the inflater failed with the error. If another library than zlib
 * found it inside a member of a file, inflates that member again by zlib and
 * takes over zlib's error, so that messages do not depend on the library. Keeps
 * the error of a pipe, and of more than 1 GiB of compressed bytes. */
void judge_error(const struct inflater *f, struct error *e);
