/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "run/sample_blocks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/io.h"

bool sample_blocks_open(struct sample_blocks *b, const struct dataset *d,
                        const struct job *job, struct error *e)
{
    *b = (struct sample_blocks){
        d, job->chunk_bytes, malloc(job_slot_bytes(job)), 0, 0, -1};
    return b->buffer || error_memory(e);
}

static void leave_input(struct sample_blocks *b)
{
    if (b->fd >= 0 && b->fd != b->d->inputs[b->current].fd)
        close(b->fd);
    b->fd = -1;
}

void sample_blocks_close(struct sample_blocks *b)
{
    if (b->d)
        leave_input(b);
    free(b->buffer);
}

/* Opens the input that has the byte. */
static bool enter_input(struct sample_blocks *b, uint64_t at)
{
    struct error e;
    const struct input *inputs = b->d->inputs;
    while (at - b->start >= inputs[b->current].bytes) {
        leave_input(b);
        b->start += inputs[b->current++].bytes;
    }
    const struct input *input = &inputs[b->current];
    if (b->fd < 0)
        b->fd = input->fd >= 0 ? input->fd : input_reopen(input, &e);
    return b->fd >= 0;
}

/* Cuts a block of text to its whole records, assuming that each line is one. */
static void trim_text(struct chunk *chunk)
{
    const char *p = chunk->data, *end = p + chunk->bytes;
    const char *first = memchr(p, '\n', chunk->bytes),
               *last = memrchr(p, '\n', chunk->bytes);
    chunk->data = first ? first + 1 : end;
    chunk->bytes = first ? (size_t)(last - first) : 0;
}

struct chunk sample_block_read(struct sample_blocks *b, uint64_t at)
{
    const bool is_text = b->d->job.text;
    const size_t unit = is_text ? 1 : dtype_info(b->d->inputs[0].dtype)->size;
    struct chunk chunk = {.data = NULL, .lines = b->bytes};
    if (!enter_input(b, at))
        return chunk;
    chunk.input = &b->d->inputs[b->current];
    const uint64_t place = (at - b->start) / unit * unit,
                   left = chunk.input->bytes - place;
    const size_t bytes = left < b->bytes ? (size_t)left : b->bytes;
    if (!io_pread_cached(b->fd, b->buffer, bytes, chunk.input->offset + place,
                         &chunk.bytes) ||
        chunk.bytes == 0)
        return chunk;
    chunk.data = b->buffer;
    chunk.n = is_text ? 0 : chunk.bytes / unit;
    if (is_text)
        trim_text(&chunk);
    return chunk;
}
