/* SPDX-License-Identifier: MIT */
/*
 * The memory that may be taken for what grows with the data, as a set of
 * distinct values does: half of what the process can have. All of it is counted
 * in one place, so that a run ends with an error that names the limit before
 * the machine has none left. Any thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Counts bytes that are about to be allocated. False, and nothing is counted,
 * where they would exceed the limit. */
bool memory_take(size_t bytes);
void memory_give(size_t bytes);

/* The limit in bytes: half of the least of the machine's memory, what its
 * control group allows, and the limits of the process. */
size_t memory_limit(void);

/* For tests: another limit; 0: the machine's. */
void memory_set_limit(size_t bytes);

/* Sets an error that names the limit, and what would need more, as "counting
 * distinct values". Returns false. */
bool memory_refuse(struct error *e, const char *what);
