/* SPDX-License-Identifier: MIT */
/*
 * Finds the lines of records after the run. The run notes for each chunk where
 * it starts and how many records and lines it has. If a chunk has as many lines
 * as records, each record is a line; any other chunk is read again.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chunk;
struct input;

/* What the run notes of a chunk of records. Chunks are under 4 GiB. */
struct chunk_note {
    struct input *input;  /* borrowed */
    uint64_t start, line; /* its first byte's offset in the data, and line */
    uint32_t bytes, lines, records;
};

/* The chunks of a run, in the order of the data. A chunk without a note is all
 * 0. */
struct chunk_notes {
    struct chunk_note *note; /* [n], owned */
    size_t n;
};

/* The note of a chunk that has `records` records. */
struct chunk_note chunk_note_of(const struct chunk *chunk, uint64_t records);

/* Makes room for n notes, more than there are, and sets the new ones to 0.
 * False without memory; then nothing has changed. */
bool chunk_notes_grow(struct chunk_notes *notes, size_t n);

/* Sets line[i] to the line, from 1, of the record index[i]. Sets 0 if the line
 * cannot be known: in a pipe where some record is not a line, or if the file
 * cannot be read again. The indexes count the dataset's records and ascend.
 * Reads no chunk twice. One thread, after the run. */
void lines_find(const struct chunk_notes *notes, const uint64_t *index,
                uint64_t *line, size_t n);
