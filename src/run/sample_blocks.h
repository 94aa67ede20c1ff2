/* SPDX-License-Identifier: MIT */
/* Reads blocks of a dataset's files, for a sample. One thread uses it. */
#pragma once

#include "plan/plan.h"

struct sample_blocks {
    const struct dataset *d;
    size_t bytes;   /* of a block */
    char *buffer;   /* owned */
    size_t current; /* index of the open input */
    uint64_t start; /* data bytes of the inputs before it */
    int fd;         /* of the open input; -1: none is open */
};

/* Blocks have job->chunk_bytes. False if memory ran out. The caller closes it
 * in any case. */
bool sample_blocks_open(struct sample_blocks *b, const struct dataset *d,
                        const struct job *job, struct error *e);
void sample_blocks_close(struct sample_blocks *b);

/* Reads the block at a byte of the dataset, which must not be less than that of
 * the last call. A block of text is cut to its whole records. The block has no
 * data if a disk would have to be read. The next call overwrites it. */
struct chunk sample_block_read(struct sample_blocks *b, uint64_t at);
