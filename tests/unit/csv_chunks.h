/* SPDX-License-Identifier: MIT */
/* Records cut for several threads, and the chunks put together again. */
#pragma once

#include "csv_inputs.h"
#include "chunk/chunker.h"

enum { CUT_THREADS = 4, DEAL_CHUNKS = 1 << 17 };

struct dealt_chunk {
    bool seen;
    const struct input *input;
    uint64_t line;
    char *text;
    size_t bytes;
};

struct cut_chunks {
    struct chunker *chunker;
    size_t window;
    bool may_map, portable;
    uint64_t stop_after; /* chunks; 0: never */

    pthread_mutex_t lock;
    struct dealt_chunk *chunk; /* [DEAL_CHUNKS], by sequence */
    uint64_t cut;
    unsigned twice, errors, undone, mapped, owned;
    /* The first in the data. */
    uint64_t error_at;
    struct error error;
};

/* Deals all chunks of open inputs; the fields above `lock` are the
 * caller's. */
void cut_chunks_run(struct cut_chunks *d, struct text_inputs *inputs,
                    unsigned threads);
void cut_chunks_free(struct cut_chunks *d);
