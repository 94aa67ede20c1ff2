/* SPDX-License-Identifier: MIT */
/* read(2) and pread(2) that go on after interruptions and short counts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads until `bytes` are there or the end: *got of them. False with errno. */
bool io_read(int fd, void *to, size_t bytes, size_t *got);
/* One read(2): what there is, 0 at the end. */
bool io_read_some(int fd, void *to, size_t bytes, size_t *got);
bool io_pread(int fd, void *to, size_t bytes, uint64_t offset, size_t *got);

/* Gives a pipe a larger buffer, if it is one and may have it: its writer then
 * goes on while this end is at work. */
void io_widen_pipe(int fd);
