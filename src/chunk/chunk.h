/* SPDX-License-Identifier: MIT */
/* What a chunker hands to a worker. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct input;
struct open_file;

struct chunk {
    uint64_t sequence; /* 0, 1, 2, ... in the order of the data */
    const void *data;  /* in the buffer given, in a file's mapping, or owned */

    size_t bytes; /* of text: whole records, the last ended by LF; may be 0 */

    uint64_t first; /* elements: global index of the first */
    size_t n;       /* elements */

    uint64_t start;        /* text: of its first byte, in the file or stream */
    uint64_t line;         /* text: of its first byte */
    uint64_t line_end;     /* text: of the byte after it */
    size_t lines;          /* text: at most so many LF */
    struct input *input;   /* text, or where it is mapped */
    void *owned;           /* text: data, where it fits no buffer; else NULL */
    struct error *trouble; /* text: what comes right after it; else NULL */
    bool ends_bare; /* text: its last LF is not in the data, which lack it */

    /* Where it is mapped; else NULL. */
    struct open_file *mapped;
    uint64_t offset;
    size_t mapped_bytes;
};

/* How much of the data it is. */
static inline size_t chunk_data_bytes(const struct chunk *chunk)
{
    return chunk->bytes - chunk->ends_bare;
}

/* There is one; there are no more; something is wrong. */
enum chunk_next { CHUNK_READY, CHUNK_END, CHUNK_ERROR };

/* What a worker would have: a chunk of `bytes`, in its buffer `to` or, where it
 * reads anywhere, in a file's mapping. The buffer is larger by the chunker's
 * slack. */
struct want {
    void *to;
    size_t bytes;
    bool anywhere;
};
