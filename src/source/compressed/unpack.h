/* SPDX-License-Identifier: MIT */
/*
 * A compressed file or pipe, read as the bytes that it stands for. At first in
 * the thread that reads, with 64 KiB of memory; by threads of its own once they
 * are allowed and there is enough to do.
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

/* `first` are bytes that were read before those of the source (at most
 * UNPACK_FIRST_MAX); the source's offset is behind them. The source's
 * descriptor and name stay the caller's. NULL on failure. */
struct unpack *unpack_open(const struct source *source,
                           const struct unpack_form *form,
                           const unsigned char *first, size_t first_bytes,
                           struct error *e);

/* From now on it counts on the meter, if any, and may use threads: as many as
 * this to inflate; 1 is none. */
void unpack_start(struct unpack *u, unsigned threads, struct meter *meter);

/* The next bytes. *got is less than wanted only at the end, and then all was
 * checked: checksums, lengths, that nothing follows. One thread at a time; not
 * again after a failure. */
bool unpack_read(struct unpack *u, void *to, size_t want, size_t *got,
                 struct error *e);

/* Ends its threads. NULL is allowed. */
void unpack_close(struct unpack *u);
