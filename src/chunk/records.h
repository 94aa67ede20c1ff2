/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the chunker of records share. A file is cut into windows of
 * the sizes that the workers want. A chunk is the records that start in a
 * window. Whether a window starts inside quotes is known only once all windows
 * before it have been scanned (`quote_states.h`). So a worker scans the bytes
 * that it has read before it does anything else. A scan takes a tenth of the
 * time of a read.
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

    /* Guarded by the lock. */
    /* Number of the next window in the current input, from 0. */
    uint64_t window_at;

    /* Stream, owned: the bytes after the last whole record that was cut. */
    char *rest;
    size_t rest_bytes, rest_room;
    enum csv_state rest_state; /* quote state at the end of rest */
    uint64_t rest_lines, line; /* line ends in rest; its first line */
    bool stream_ended;         /* the last chunk was cut */
};

/* Cuts the next chunk of a stream, which is read in order. The caller holds the
 * lock. Reads a window's bytes. The chunk has the whole records read so far;
 * the bytes after them are kept for the next call. CHUNK_END after the last
 * chunk. */
enum chunk_next stream_records(struct chunker *c, struct input *input,
                               const struct want *want, struct chunk *chunk,
                               struct error *e);
