/* SPDX-License-Identifier: MIT */
/* Writes all bytes to a descriptor. */
#pragma once

#include <stddef.h>

/* Waits where the descriptor does not block and is full. Returns 0, or errno of
 * the write that failed. Any thread. */
int write_whole(int fd, const void *bytes, size_t n);
