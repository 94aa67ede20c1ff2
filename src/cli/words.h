/* SPDX-License-Identifier: MIT */
/* Words of other tools and of options to come, and the messages that say what
 * does the same today. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* Each returns whether it knows the word: the name of an option without dashes,
 * of an operation, of a dtype. If so it fills e with the answer. */
bool word_option(const char *name, struct error *e);
bool word_op(const char *name, struct error *e);
bool word_dtype(const char *name, struct error *e);
