/* SPDX-License-Identifier: MIT */
/*
 * Unpacks on threads of its own. One thread, the reader, reads the compressed
 * bytes in order and searches them for places that might be the start of a
 * member. The other threads, the inflaters, inflate from such places in
 * parallel. The caller gets the output in the order of the file.
 *
 * The reader cuts the file into jobs at such places, some distance apart. A job
 * inflates member after member. The first job is confirmed. If a member ends
 * exactly at the next job's start, that start was true, and the next job is
 * confirmed if this one is. If a member of a confirmed job goes past that
 * start, the start was data that looked like a header: the next job is dropped,
 * and the confirmed job continues. So the output and errors of confirmed jobs
 * are those of inflating in order. The caller gets no others.
 *
 * Memory is bounded. A ring buffer holds the compressed bytes, starting with
 * those that the first unfinished job still needs. There is a fixed number of
 * blocks for output, some of them reserved for the first job. Data that expand
 * like a bomb get 16 MiB of blocks and 8 MiB of the ring, on any number of
 * threads. A job starts only if an estimate says that there will be enough
 * blocks for all of it. A job that needs more waits until earlier jobs give
 * blocks back. Nothing deadlocks: jobs start in the order of the file, each
 * waits only for earlier ones, and the first waits only for the reader and the
 * caller. So the wait graph is acyclic.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/meter.h"
#include "source/compressed/inflater.h"
#include "source/compressed/source.h"

struct pipeline;

/* Continues where the inflater is. `rest` has the bytes read but not inflated
 * yet, at most BUFFER_BYTES; `source` is positioned after them. At most
 * `threads` threads inflate. Takes ownership of the inflater. Returns NULL
 * without threads or memory: then nothing was read, and the inflater stays the
 * caller's. */
struct pipeline *pipeline_new(const struct source *source,
                              struct inflater *inflater,
                              const unsigned char *rest, size_t rest_bytes,
                              unsigned threads, struct meter *meter);

/* Stops all threads, at any time, and frees. The caller must not be in
 * pipeline_read. */
void pipeline_free(struct pipeline *p);

/* Copies the next bytes of the output to the caller. *got < want only at the
 * end, after all checks. One thread at a time. After a failure only
 * pipeline_free may follow. */
bool pipeline_read(struct pipeline *p, unsigned char *to, size_t want,
                   size_t *got, struct error *e);
