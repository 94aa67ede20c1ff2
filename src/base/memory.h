/* SPDX-License-Identifier: MIT */
/*
 * A limit for memory that grows with the data, such as sets of distinct values:
 * half of what the process can have. One counter covers the whole process, so a
 * run ends with an error that names the limit before the machine runs out of
 * memory. Any thread may call these functions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Counts bytes that the caller is about to allocate. Returns false, and counts
 * nothing, if the total would exceed the limit. memory_give subtracts the bytes
 * again. */
bool memory_take(size_t bytes);
void memory_give(size_t bytes);

/* The limit in bytes: half of the smallest of the machine's memory, the limit
 * of its control group, and the limits of the process. */
size_t memory_limit(void);

/* For tests: sets another limit; 0 restores the machine's. */
void memory_set_limit(size_t bytes);

/* Sets an error that names the limit. `what` says what would need more, such as
 * "counting distinct values". Returns false. */
bool memory_refuse(struct error *e, const char *what);
