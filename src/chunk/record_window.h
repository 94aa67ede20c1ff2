/* SPDX-License-Identifier: MIT */
/*
 * The records that start in a window of a file of text: their bytes, found
 * from the state at the window's start, and read on behind its end until the
 * last of them ends.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/simd/loops.h"
#include "chunk/file.h"

enum {
    /* Read at a time behind a window. */
    RECORD_WINDOW_STEP = 64 << 10,
    /* Read and scanned at a time, so that the scan finds it in cache. */
    RECORD_WINDOW_PIECE = 256 << 10,
    /* A slot has so much room above a window: a step and padding. */
    RECORD_WINDOW_SLACK = RECORD_WINDOW_STEP + 4096,
};

struct record_window {
    const struct input *input;
    struct open_file *file;
    uint64_t offset, end; /* in the file: of the window, of the data */
    size_t window;        /* bytes of the window */
    bool is_mapped;

    const char *at; /* from the window's start on */
    size_t bytes;
    struct csv_scan scan; /* of the window */
    char *buffer;         /* not mapped: where `at` is, `room` bytes of it */
    size_t room;
    void *owned; /* buffer, if it had to be larger than the slot */
};

/* Makes the window's bytes readable, CSV_PADDING more of them, in the buffer
 * or where the file is mapped, and scans them. */
bool record_window_open(struct record_window *s, const struct csv_loops *loops,
                        const struct want *want, struct error *e);

/* Cuts the chunk of the records that start in the window, given the
 * states at its start and at its end and the first's line. Sets the chunk's
 * data, bytes, line and trouble; the chunk takes over `owned`. */
bool record_window_cut(struct record_window *s, enum csv_state at_start,
                       enum csv_state at_end, uint64_t line,
                       struct chunk *chunk, struct error *e);
