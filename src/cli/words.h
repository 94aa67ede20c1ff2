/* SPDX-License-Identifier: MIT */
/* Words of other tools, and of options to come, that are answered with what
 * does the same today. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* Each returns whether it knows the word, and then fills e with the answer:
 * an option's name without dashes, an operation's, a dtype's. */
bool word_option(const char *name, struct error *e);
bool word_op(const char *name, struct error *e);
bool word_dtype(const char *name, struct error *e);
