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

/* The run's note about a chunk of records. Chunks are under 4 GiB. */
struct chunk_note {
    struct input *input; /* borrowed */
    /* of its first byte: the offset in the data; the line */
    uint64_t start, line;
    uint32_t bytes, lines, records;
};

/* The notes about the chunks of a run, in the order of the data. The entry of a
 * chunk without a note is all 0. */
struct chunk_notes {
    struct chunk_note *note; /* [n], owned */
    size_t n;
};

/* Makes the note of a chunk that has `records` records. */
struct chunk_note chunk_note_of(const struct chunk *chunk, uint64_t records);

/* Makes room for n notes, where n is more than before, and sets the new ones to
 * 0. Returns false without memory, and then changes nothing. */
bool chunk_notes_grow(struct chunk_notes *notes, size_t n);

/* Sets line[i] to the line of record index[i], counted from 1. Sets it to 0 if
 * the line cannot be known: the file cannot be read again, or the input is a
 * pipe and some record is not a line. The indexes count the dataset's records
 * and ascend. Reads no chunk twice. One thread, after the run. */
void lines_find(const struct chunk_notes *notes, const uint64_t *index,
                uint64_t *line, size_t n);
