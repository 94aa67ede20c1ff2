/* SPDX-License-Identifier: MIT */
/*
 * Deals the records of text inputs in chunks to many threads at once, like the
 * dealer of elements. A file is cut into windows of the sizes that the workers
 * want; a chunk is the records that start in a window. Whether a window starts
 * inside quotes is known once those before it were scanned (`chain.h`): each
 * worker scans what it has read before it does anything else. A scan takes a
 * tenth of what a read does.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/loops.h"
#include "engine/chain.h"
#include "engine/chunk.h"
#include "engine/file.h"

struct records {
    pthread_mutex_t lock;
    struct input *inputs;
    size_t count;
    bool may_map;
    const struct csv_loops *loops;
    struct chain chain;

    /* Under the lock. */
    size_t current; /* input */
    struct open_file *file;
    uint64_t taken;     /* bytes of the current input */
    uint64_t window_at; /* of the current input, from 0 */
    uint64_t sequence;

    /* A stream's bytes after its last whole record; its line. */
    char *rest;
    size_t rest_bytes, rest_room;
    enum csv_state rest_state; /* at their end */
    uint64_t rest_lines, line;
    bool stream_ended;
};

/* portable: the base loops. */
bool records_init(struct records *r, struct input *inputs, size_t count,
                  bool may_map, bool portable, struct error *e);
void records_free(struct records *r);

/* As dealer_next and dealer_done. Chunks may be of no bytes. */
enum dealt records_next(struct records *r, const struct want *want,
                        struct chunk *chunk, struct error *e);
bool records_done(struct records *r, const struct chunk *chunk,
                  struct error *e);
/* Chunks before this one are still dealt, so that what is wrong in them is
 * found; but none that nobody has asked for. */
void records_stop(struct records *r, uint64_t sequence);
