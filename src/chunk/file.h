/* SPDX-License-Identifier: MIT */
/* What the chunkers share: where they are in their inputs, and a regular file
 * while it is cut. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chunk/chunk.h"
#include "source/ahead.h"
#include "format/input.h"
#include "source/map.h"

struct open_file {
    int fd;
    bool borrowed; /* fd is standard input */
    bool is_mapped;
    struct map map;
    struct ahead ahead;
    unsigned uses; /* the chunker's own and one a piece or chunk in use */
};

struct cursor {
    pthread_mutex_t lock;
    struct input *inputs;
    size_t count;
    bool may_map; /* regular files */

    /* Under the lock. */
    size_t current;         /* input */
    struct open_file *file; /* of the current input, or NULL */
    uint64_t taken;         /* bytes of the current input so far */
    uint64_t sequence;      /* of the next chunk */
};

bool cursor_open(struct cursor *c, struct input *inputs, size_t count,
                 bool may_map, struct error *e);
void cursor_close(struct cursor *c);

/* Under the lock: opens the current input, if it must be. One that was deferred
 * must suit the first. empty: a file without data is opened, too. */
bool cursor_start(struct cursor *c, bool empty, struct error *e);

/* Under the lock: the current input is at its end. */
void cursor_next(struct cursor *c);

/* Opens a regular input, and maps it if it may, can and is worth it. NULL on
 * failure; else it has one use. */
struct open_file *file_take(const struct input *input, bool may_map,
                            struct error *e);

/* Where a mapped file's bytes are, brought in. Any thread. */
const void *file_range(struct open_file *file, const struct input *input,
                       uint64_t offset, size_t bytes);

/* Reads bytes of it; *got is less than wanted only at its end. Any thread. */
bool file_read(struct open_file *file, const struct input *input, void *to,
               size_t want, uint64_t offset, size_t *got, struct error *e);

/* Takes back a use; closes the file after the last. Under the chunker's lock.
 */
void file_release(struct open_file *file);

/* The error of a file that lacks bytes it had when it was looked at. */
bool file_shrank(const struct input *input, uint64_t missing, struct error *e);

/* A chunk is no longer needed: gives back what it has mapped, under the
 * chunker's lock. False where the file no longer had its bytes. */
bool file_done(const struct chunk *chunk, pthread_mutex_t *lock,
               struct error *e);

/* The error of a file that no longer has them. */
bool file_was_cut(const struct input *input, struct error *e);
