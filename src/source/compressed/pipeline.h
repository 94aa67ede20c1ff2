/* SPDX-License-Identifier: MIT */
/*
 * Unpacking on threads of its own: one reads the compressed bytes in order and
 * looks in them for what might be the start of a gzip member, others inflate
 * from such places, all at once, and the bytes are given out in the order of
 * the file.
 *
 * The file is cut into jobs at places that look like the start of a member, at
 * least JOB_BYTES apart. A job inflates member after member. Where one of them
 * ends exactly at the next job's start, that start was true, and the next job
 * is confirmed; where it goes past it, the start was data that looked like a
 * header, and the confirmed job goes on in its place. The first job is
 * confirmed, so what the confirmed ones give, errors included, is what
 * inflating in order gives. No other job's bytes or errors are ever seen.
 *
 * Memory is bounded: a ring buffer of the compressed bytes, which moves on with
 * the first job that is not finished, and a number of blocks of output, some of
 * which only the first job may take. A job is not taken up before there will be
 * blocks for all of it; one that needs more than was thought waits for those
 * that earlier jobs give back. Only jobs taken up in the order of the file wait
 * for one another, each for earlier ones, and the first for the caller: there
 * is no circle.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/meter.h"
#include "source/compressed/inflater.h"
#include "source/compressed/source.h"

struct pipeline;

/* Goes on where the inflater is: `rest` has been read, `source` is behind it.
 * Takes the inflater over. At most `threads` inflate. NULL where there are no
 * threads or memory to be had: then nothing was read or taken over. */
struct pipeline *pipeline_new(const struct source *source,
                              struct inflater *inflater,
                              const unsigned char *rest, size_t rest_bytes,
                              unsigned threads, struct meter *meter);

/* Stops it wherever it is. */
void pipeline_free(struct pipeline *p);

/* The next bytes; *got < want only at the end, after all was checked. One
 * thread at a time. After a failure it may only be freed. */
bool pipeline_read(struct pipeline *p, unsigned char *to, size_t want,
                   size_t *got, struct error *e);
