/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the chunker of records share. A file is cut into windows of
 * the sizes that the workers want; a chunk is the records that start in a
 * window. Whether a window starts inside quotes is known once those before it
 * were scanned (`quote_states.h`): each worker scans what it has read before it
 * does anything else. A scan takes a tenth of what a read does.
 */
#pragma once

#include "csv/simd/loops.h"
#include "chunk/quote_states.h"
#include "chunk/chunker.h"
#include "chunk/file.h"

struct chunker {
    struct cursor at;
    const struct csv_loops *loops;
    struct quote_states quote_states;

    /* Under the lock. */
    uint64_t window_at; /* of the current input, from 0 */

    /* A stream's bytes after its last whole record; its line. */
    char *rest;
    size_t rest_bytes, rest_room;
    enum csv_state rest_state; /* at their end */
    uint64_t rest_lines, line;
    bool stream_ended;
};

/* The records of a stream, which is read in order, under the lock: reads a
 * window's worth, and the chunk is the whole records that there are then; what
 * is left is kept for the next call. CHUNK_END after the last. */
enum chunk_next stream_records(struct chunker *c, struct input *input,
                               const struct want *want, struct chunk *chunk,
                               struct error *e);
