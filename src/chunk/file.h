/* SPDX-License-Identifier: MIT */
/* What the chunkers share: their position in the inputs, and the regular file
 * that they cut chunks from. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chunk/chunk.h"
#include "source/ahead.h"
#include "format/input.h"
#include "source/map.h"

struct pack;

struct open_file {
    int fd;
    bool borrowed; /* fd is standard input and is not closed */
    bool is_mapped;
    struct map map;
    struct ahead ahead;
    /* Reference count: one for each chunker and pack that has the file, and one
     * for each piece or chunk in use. Dropping the last one closes the file. */
    atomic_uint uses;
};

struct cursor {
    pthread_mutex_t lock;
    struct input *inputs;
    size_t count;
    bool may_map; /* map regular files */

    /* Guarded by the lock. */
    size_t current;         /* number of the input */
    struct open_file *file; /* the current input's, or NULL */
    uint64_t taken;         /* bytes taken of the current input */
    uint64_t sequence;      /* number of the next chunk */
};

/* Starts at the first input. The inputs stay the caller's. */
bool cursor_open(struct cursor *c, struct input *inputs, size_t count,
                 bool may_map, struct error *e);
void cursor_close(struct cursor *c);

/* Opens the current input unless it is open. A deferred input must have the
 * dtype of the first. `empty`: open files without data, too. The caller holds
 * the lock. */
bool cursor_start(struct cursor *c, bool empty, struct error *e);

/* Ends the current input and moves to the next. The caller holds the lock. */
void cursor_next(struct cursor *c);

/* Opens a regular input. Maps it if that is allowed, possible and worth it.
 * Returns it with one use, or NULL on failure. Arrays of one FILE share one
 * open file, which stays open until file_forget. */
struct open_file *file_take(const struct input *input, bool may_map,
                            struct error *e);

/* Populates a range of a mapped file and returns its address. Any thread. */
const void *file_range(struct open_file *file, const struct input *input,
                       uint64_t offset, size_t bytes);

/* Reads bytes of the file; *got < want only at its end. Any thread. */
bool file_read(struct open_file *file, const struct input *input, void *to,
               size_t want, uint64_t offset, size_t *got, struct error *e);

/* Drops a use, and closes the file after the last one. Any thread. */
void file_release(struct open_file *file);

/* Closes the file that the arrays of a FILE share, once no chunk is in use. */
void file_forget(struct pack *pack);

/* Sets the error of a file that is shorter than at the first look. Returns
 * false. */
bool file_shrank(const struct input *input, uint64_t missing, struct error *e);

/* Ends the use of a chunk's mapping, if it has one. Takes the lock. Returns
 * false with the error if the file no longer had the chunk's bytes. */
bool file_done(const struct chunk *chunk, pthread_mutex_t *lock,
               struct error *e);

/* Sets the error of a file that was cut during the run, as in file_done.
 * Returns false. */
bool file_was_cut(const struct input *input, struct error *e);
