/* SPDX-License-Identifier: MIT */
/* A block: a chunk of one input that waits for the other input's rows. Elements
 * stay where they were read or mapped; records are decoded to values. */
#pragma once

#include "chunk/reading.h"
#include "compare/compare.h"

/* What a cell holds. COMPARE_WIDE: an integer that f64 cannot hold. */
enum compare_cell { COMPARE_VALUE, COMPARE_MISSING, COMPARE_WIDE };

struct compare_column {
    char *values;       /* [rows], of the dtype */
    unsigned char *gap; /* [rows]: enum compare_cell; NULL: all have values */
    struct wide_integer *wide; /* [wides], by ascending row */
    size_t wides;
};

struct compare_block {
    uint64_t rows;
    size_t rows_bytes; /* bytes of the input that the rows take */
    uint64_t rounded;  /* integers of text that were rounded to f64 */
    bool failed;       /* `error` comes right after these rows */
    struct error error;

    /* Only the queue uses these, under its lock. */
    struct compare_block *next; /* in the list of used blocks */
    unsigned side;              /* its input: 0 or 1 */
    uint64_t rows_given;        /* rows given out to be compared */
    unsigned uses;              /* its overlaps being compared */
    bool is_passed;             /* no more rows of it are given out */

    bool is_held; /* the chunk must be given back */
    struct chunk chunk;
    /* Elements: allocated; receives the bytes that are read. Records: NULL. */
    void *buffer;
    struct compare_column *column; /* [columns]; elements: NULL */
    size_t columns;
};

/* What one thread needs to cut and decode chunks. */
struct compare_reader {
    const struct compare_job *job;
    struct decoder *decoder; /* for records only */
    void *buffer;            /* for records only: receives a chunk */
};

/* After a failure there is nothing to close. */
bool compare_reader_open(struct compare_reader *r,
                         const struct compare_job *job, struct error *e);
void compare_reader_close(struct compare_reader *r);

/* Allocates the buffer that a zeroed block needs to read one of the inputs; a
 * mapped input does not touch it. False: out of memory. */
bool compare_block_room(struct compare_block *b, const struct compare_job *job,
                        unsigned input);

/* Gets the next chunk of an input. The caller must then free the block by
 * compare_block_free, except after CHUNK_END, when the block has only its
 * buffer. After CHUNK_ERROR the block has failed. Any thread. */
enum chunk_next compare_block_cut(struct compare_reader *r,
                                  struct chunker *chunker,
                                  struct compare_block *b, unsigned input);

/* After CHUNK_READY: decodes the chunk and sets `rows`. If something is wrong
 * in it, sets `failed` and `error`. */
void compare_block_decode(struct compare_reader *r, struct chunker *chunker,
                          struct compare_block *b, const struct input *input);

/* Frees what the block owns, but not *b, and gives its chunk back. Returns
 * false if the file was cut while it was read, which makes the comparison
 * void. */
bool compare_block_free(const struct compare_job *job, struct chunker *chunker,
                        struct compare_block *b, struct error *e);
