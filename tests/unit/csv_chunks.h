/* SPDX-License-Identifier: MIT */
/* Cuts text into chunks with several threads, and keeps the chunks by
 * number. */
#pragma once

#include "csv_inputs.h"
#include "chunk/chunker.h"

enum { CUT_THREADS = 4, CUT_CHUNKS = 1 << 17 };

struct cut_chunk {
    bool seen;
    const struct input *input;
    uint64_t line; /* of its first byte in the file, from 1 */
    char *text;    /* [bytes], a copy; owned */
    size_t bytes;
};

struct cut_chunks {
    struct chunker *chunker;
    size_t window; /* bytes */
    bool may_map, portable;
    uint64_t stop_after; /* stop after this many chunks; 0: never */

    pthread_mutex_t lock;    /* guards all fields below */
    struct cut_chunk *chunk; /* [CUT_CHUNKS], by sequence number; owned */
    uint64_t cut;            /* chunks so far */
    /* Chunks that came twice, errors, chunks that done() refused, mapped
     * chunks, chunks in memory of their own. */
    unsigned twice, errors, undone, mapped, owned;
    /* The error that comes first in the data. */
    uint64_t error_at;
    struct error error;
};

/* Cuts all chunks of open inputs. The caller sets the fields above `lock`. */
void cut_chunks_run(struct cut_chunks *d, struct text_inputs *inputs,
                    unsigned threads);
void cut_chunks_free(struct cut_chunks *d);
