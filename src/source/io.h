/* SPDX-License-Identifier: MIT */
/* read(2) and pread(2) that continue after interruptions and short counts. Any
 * thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens a file for reading. Returns -1 with errno on failure. */
int io_open(const char *name);

/* Reads `bytes` bytes, or fewer if the file ends before. Sets *got to the
 * number read. On failure returns false with errno. */
bool io_read(int fd, void *to, size_t bytes, size_t *got);
/* Like io_read, but a single read(2): reads the bytes that are available, 0 at
 * the end. */
bool io_read_some(int fd, void *to, size_t bytes, size_t *got);
bool io_pread(int fd, void *to, size_t bytes, uint64_t offset, size_t *got);

/* Like io_pread, but fails rather than wait for a disk if the bytes are not in
 * memory. On a file system that cannot tell, it waits. */
bool io_pread_cached(int fd, void *to, size_t bytes, uint64_t offset,
                     size_t *got);

/* Enlarges a pipe's buffer, so that its writer can continue while this process
 * computes. Does nothing if fd is not a pipe or the kernel refuses. */
void io_widen_pipe(int fd);
