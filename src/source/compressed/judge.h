/* SPDX-License-Identifier: MIT */
#pragma once

#include "base/error.h"
#include "source/compressed/inflater.h"

/* Call after the inflater failed with the error. If another library than zlib
 * found it inside a member of a file, inflates that member again by zlib and
 * replaces the error by zlib's. So messages do not depend on the library. Keeps
 * the error if the data are a pipe or more than 1 GiB of compressed bytes. */
void judge_error(const struct inflater *f, struct error *e);
