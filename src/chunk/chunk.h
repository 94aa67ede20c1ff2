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

    /* Bytes in `data`. Text: whole records, of which the last ends with LF; may
     * be 0. */
    size_t bytes;

    uint64_t first; /* elements: index in the dataset of its first element */
    size_t n;       /* elements: how many */

    uint64_t start; /* text: offset of its first byte in the file or stream */
    uint64_t line;  /* text: line of its first byte */
    uint64_t line_end; /* text: line of the byte after its last byte */
    size_t lines;      /* text: upper bound of its LFs */
    /* Borrowed: the input that the data come from; of elements, the first of
     * `inputs` such, and the indexes in the dataset of their first elements. */
    struct input *input;
    size_t inputs;
    const _Atomic uint64_t *base; /* [inputs], borrowed */
    /* Text: holds data that did not fit the buffer, else NULL. `done` frees
     * it. */
    void *owned;
    /* Text: an error that comes right after the chunk's data, else NULL. `done`
     * frees it. */
    struct error *error_after;
    /* Text: the input does not end with LF, and the chunker has added one. */
    bool ends_bare;

    /* The mapped file that the chunk keeps open, or NULL; and the range of it
     * that contains `data`. */
    struct open_file *mapped;
    uint64_t offset;
    size_t mapped_bytes;
};

/* The bytes of the input that the chunk holds, without an LF that was added. */
static inline size_t chunk_data_bytes(const struct chunk *chunk)
{
    return chunk->bytes - chunk->ends_bare;
}

/* The result of asking for a chunk: a chunk; no more chunks; an error. */
enum chunk_next { CHUNK_READY, CHUNK_END, CHUNK_ERROR };

/* A worker's request for a chunk of `bytes`. The chunk goes to its buffer `to`.
 * If `anywhere` is set, the chunk may be in a file's mapping instead. The
 * buffer is larger than `bytes` by the chunker's slack. */
struct want {
    void *to;
    size_t bytes;
    bool anywhere;
};
