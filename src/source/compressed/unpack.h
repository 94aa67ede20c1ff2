/* SPDX-License-Identifier: MIT */
/*
 * A compressed file or pipe, read as a stream of its contents. At first the
 * reading thread inflates, with a buffer of 64 KiB. After unpack_start a
 * pipeline with threads of its own may take over.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/meter.h"
#include "source/compressed/inflater.h"
#include "source/compressed/source.h"

struct unpack;

enum { UNPACK_FIRST_MAX = 4096 };

/* Opens a stream. `first` has the bytes that were already read from the source,
 * at most UNPACK_FIRST_MAX; the source's offset is after them. Borrows the
 * source's descriptor and name; copies everything else. NULL on failure. */
struct unpack *unpack_open(const struct source *source,
                           const struct unpack_form *form,
                           const unsigned char *first, size_t first_bytes,
                           struct error *e);

/* From now on the stream counts on the meter (or NULL), and may inflate on up
 * to `threads` threads. With 1, the reading thread continues to inflate. */
void unpack_start(struct unpack *u, unsigned threads, struct meter *meter);

/* Reads the next bytes of the contents. *got < want only at the end, after
 * checksums, lengths and trailing bytes were checked. One thread at a time.
 * After a failure only unpack_close may follow. */
bool unpack_read(struct unpack *u, void *to, size_t want, size_t *got,
                 struct error *e);

/* Ends the threads and frees. u may be NULL. */
void unpack_close(struct unpack *u);
