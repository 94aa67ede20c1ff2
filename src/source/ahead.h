/* SPDX-License-Identifier: MIT */
/*
 * Reading ahead for a file that is not in the page cache and that many threads
 * read in pieces. It asks the kernel for the bytes ahead of the threads, so
 * that the disk has many requests at a time. The kernel's own read-ahead does
 * not recognise the pattern: it reaches 2.5 GB/s from a disk that gives 3.3
 * GB/s to direct reads. A request for cached pages costs a tenth of a warm
 * read, so requests start only after slow pieces.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct ahead {
    int fd;                 /* borrowed */
    uint64_t end;           /* file offset; nothing is read from there on */
    atomic_int slow;        /* slow pieces less fast ones, up to a limit */
    _Atomic uint64_t asked; /* file offset up to which the kernel was asked */
};

/* Starts for a file that will be read up to `end`. Call it before any thread
 * calls ahead_note. */
void ahead_init(struct ahead *a, int fd, uint64_t end);

/* Reports that a piece was read in `ns` nanoseconds. Any thread. */
void ahead_note(struct ahead *a, uint64_t offset, size_t bytes, uint64_t ns);
