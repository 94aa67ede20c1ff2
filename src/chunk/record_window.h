/* SPDX-License-Identifier: MIT */
/*
 * Finds the records that start in a window of a text file, given the quote
 * state at the window's start. Reads the last record to its end, beyond the
 * window.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/simd/loops.h"
#include "chunk/file.h"

enum {
    /* Bytes read at a time after a window. */
    RECORD_WINDOW_STEP = 64 << 10,
    /* Bytes read and scanned at a time, so that the scan finds them in
     * cache. */
    RECORD_WINDOW_PIECE = 256 << 10,
    /* Room of a slot beyond its window, in bytes: a step and padding. */
    RECORD_WINDOW_SLACK = RECORD_WINDOW_STEP + 4096,
};

struct record_window {
    const struct input *input;
    struct open_file *file;
    uint64_t offset, end; /* file offsets of the window and of the data's end */
    size_t window;        /* bytes in the window */
    bool is_mapped;

    const char *at; /* `bytes` of text from the window's start on */
    size_t bytes;
    struct csv_scan scan; /* result of scanning the window */
    char *buffer;         /* unless mapped: `room` bytes, which contain `at` */
    size_t room;
    /* The buffer, if it is allocated because the slot is too small; else
     * NULL. */
    void *owned;
};

/* Makes the window's bytes and CSV_PADDING more readable, in the buffer or in
 * the file's mapping, and scans them. */
bool record_window_open(struct record_window *s, const struct csv_loops *loops,
                        const struct want *want, struct error *e);

/* Cuts the chunk of the records that start in the window. `at_start` and
 * `at_end` are the states at the window's ends, `line` is its first line. Sets
 * the chunk's data, bytes, lines and error_after. The chunk takes over `owned`.
 */
bool record_window_cut(struct record_window *s, enum csv_state at_start,
                       enum csv_state at_end, uint64_t line,
                       struct chunk *chunk, struct error *e);
