/* SPDX-License-Identifier: MIT */
/*
 * On which line a record is, asked when the run is over. The run notes of each
 * chunk where it starts and how many records and lines it has. In a chunk of as
 * many lines as records each record is a line; any other chunk is read once
 * more.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chunk;
struct input;

/* A chunk of records. */
struct chunk_note {
    struct input *input;
    uint64_t start, line; /* of its first byte: in the data, and its line */
    uint32_t bytes, lines, records;
};

/* The chunks of a run, in the order of the data; of those that nobody noted all
 * is 0. */
struct chunk_notes {
    struct chunk_note *note; /* [n], owned */
    size_t n;
};

/* Of a chunk that has so many records. */
struct chunk_note chunk_note_of(const struct chunk *chunk, uint64_t records);

/* Makes room for n notes, more than there are; the new ones are 0. False: no
 * memory, and nothing has changed. */
bool chunk_notes_grow(struct chunk_notes *notes, size_t n);

/* Sets line[i] to the line of the record index[i], from 1, or to 0 where it
 * cannot be known: in a pipe in which not every record is a line, or where the
 * file cannot be read again. The indexes are those of the dataset, ascending.
 * Reads no chunk twice. */
void lines_find(const struct chunk_notes *notes, const uint64_t *index,
                uint64_t *line, size_t n);
