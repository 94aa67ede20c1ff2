/* SPDX-License-Identifier: MIT */
/*
 * A file that is not in the page cache, read by many threads in pieces: asks
 * for what lies ahead of them, so that the disk has many requests at a time.
 * The kernel's own reading ahead does not recognise the pattern: 2.5 GB/s from
 * a disk that gives 3.3 to direct reads. Asking for pages that are cached costs
 * a tenth of a warm read, so it begins when a piece was slow.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct ahead {
    int fd;                 /* borrowed */
    uint64_t end;           /* of what will be read */
    atomic_int slow;        /* pieces, of late */
    _Atomic uint64_t asked; /* up to here */
};

void ahead_init(struct ahead *a, int fd, uint64_t end);

/* A piece was read, in so many nanoseconds. Any thread. */
void ahead_note(struct ahead *a, uint64_t offset, size_t bytes, uint64_t ns);
