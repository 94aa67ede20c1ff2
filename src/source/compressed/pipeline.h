/* SPDX-License-Identifier: MIT */
/*
 * Unpacking on threads of its own. One thread, the reader, reads the compressed
 * bytes in order and searches them for what might be the start of a gzip
 * member. Others, the inflaters, inflate from such places in parallel. The
 * caller gets the output in the order of the file.
 *
 * The file is cut into jobs at places that look like the start of a member,
 * some distance apart. A job inflates member after member. If a member ends
 * exactly at the next job's start, that start was true, and the next job is
 * confirmed if this one is. If a member goes past that start, the start was
 * data that looked like a header; the next job is dropped and the confirmed job
 * continues. The first job is confirmed. So the output and errors of confirmed
 * jobs are those of inflating in order, and the caller sees no others.
 *
 * Memory is bounded. A ring buffer holds the compressed bytes, and moves on
 * with the first job that is not finished. There is a fixed number of blocks
 * for output, some of them reserved for the first job. A job starts only if
 * there will be blocks for all of it by estimate; one that needs more waits
 * until earlier jobs give blocks back. Nothing deadlocks: jobs start in the
 * order of the file, each waits only for earlier ones, and the first for the
 * caller, so the wait graph is acyclic.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/meter.h"
#include "source/compressed/inflater.h"
#include "source/compressed/source.h"

struct pipeline;

/* Continues where the inflater is. `rest` are the bytes read but not inflated
 * yet, and `source` is positioned after them. At most `threads` threads
 * inflate. Takes ownership of the inflater. Returns NULL without threads or
 * memory: then nothing was read, and the inflater stays the caller's. */
struct pipeline *pipeline_new(const struct source *source,
                              struct inflater *inflater,
                              const unsigned char *rest, size_t rest_bytes,
                              unsigned threads, struct meter *meter);

/* Stops all threads, at any time, and frees. The caller must not be in
 * pipeline_read. */
void pipeline_free(struct pipeline *p);

/* Copies out the next bytes. *got < want only at the end, after all checks. One
 * thread at a time. After a failure only pipeline_free may follow. */
bool pipeline_read(struct pipeline *p, unsigned char *to, size_t want,
                   size_t *got, struct error *e);
