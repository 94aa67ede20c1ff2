/* SPDX-License-Identifier: MIT */
/* Words of other tools and of options to come. For each, a message says how to
 * do the same today. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* Each function takes the name of an option (without dashes), an operation or a
 * dtype. If it knows the name, it sets the error to the message and returns
 * true. */
bool word_option(const char *name, struct error *e);
bool word_op(const char *name, struct error *e);
bool word_dtype(const char *name, struct error *e);
