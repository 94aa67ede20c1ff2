/* SPDX-License-Identifier: MIT */
/* What a chunker hands to a worker: elements, or whole records of text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct input;
struct open_file;

struct chunk {
    uint64_t sequence; /* 0, 1, 2, ... in the order of the data */
    const void *data; /* in the worker's buffer, a file's mapping, or `owned` */

    /* In `data`. Text: whole records, the last ends with LF; may be 0. */
    size_t bytes;

    uint64_t first; /* elements: index of the first in the dataset */
    size_t n;       /* elements: how many */

    uint64_t start; /* text: offset of its first byte in the file or stream */
    uint64_t line;  /* text: line of its first byte */
    uint64_t line_end; /* text: line of the byte after it */
    size_t lines;      /* text: it has at most this many LF */
    /* Where it comes from; set for text and for mapped elements. */
    struct input *input;
    /* Text: data that did not fit the buffer, else NULL; freed by `done`. */
    void *owned;
    /* Text: an error after it, freed by `done`; else NULL. */
    struct error *error_after;
    /* Text: the input lacks the last LF, which the chunker added. */
    bool ends_bare;

    /* The mapped file that the chunk keeps open, or NULL, and the range of it
     * that `data` are in. */
    struct open_file *mapped;
    uint64_t offset;
    size_t mapped_bytes;
};

/* How many bytes of the input it holds. */
static inline size_t chunk_data_bytes(const struct chunk *chunk)
{
    return chunk->bytes - chunk->ends_bare;
}

/* A chunk; no more chunks; an error. */
enum chunk_next { CHUNK_READY, CHUNK_END, CHUNK_ERROR };

/* What a worker asks for: a chunk of `bytes`, in its buffer `to` or, if
 * `anywhere` is set, in a file's mapping. The buffer is larger than `bytes` by
 * the chunker's slack. */
struct want {
    void *to;
    size_t bytes;
    bool anywhere;
};
