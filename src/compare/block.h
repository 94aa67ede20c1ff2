/* SPDX-License-Identifier: MIT */
/* A chunk of one of the inputs while it waits for the other's: elements where
 * they are, or the values of records, decoded. */
#pragma once

#include "chunk/reading.h"
#include "compare/compare.h"

/* What a row of a column has. */
enum compare_cell { COMPARE_VALUE, COMPARE_MISSING, COMPARE_WIDE };

struct compare_column {
    char *values;       /* [rows], of the dtype */
    unsigned char *gap; /* [rows]: enum compare_cell; NULL: values alone */
    struct wide_integer *wide; /* [wides]: by row, ascending */
    size_t wides;
};

struct compare_block {
    uint64_t rows;
    size_t rows_bytes; /* of the input, that they take */
    uint64_t rounded;  /* integers of text that f64 cannot hold */
    bool failed;       /* something is wrong after these rows */
    struct error error;

    /* The queue's. */
    struct compare_block *next; /* of those that are used up */
    unsigned side;
    uint64_t dealt; /* rows that were given out to be compared */
    unsigned uses;  /* overlaps of it that are at work */
    bool is_passed; /* no more of it is given out */

    bool is_held; /* the chunk is to be given back */
    struct chunk chunk;
    void *buffer;                  /* of elements: what was read, or NULL */
    struct compare_column *column; /* of records: [columns] */
    size_t columns;
};

/* Of one thread: what it cuts and decodes with. */
struct compare_reader {
    const struct compare_job *job;
    struct decoder *decoder; /* of records */
    void *buffer;            /* of records: room for a chunk */
};

bool compare_reader_open(struct compare_reader *r,
                         const struct compare_job *job, struct error *e);
void compare_reader_close(struct compare_reader *r);

/* Gives a block, all 0, what buffer it needs to read one of the inputs; of one
 * that is mapped it is not touched. False: no memory. */
bool compare_block_room(struct compare_block *b, const struct compare_job *job,
                        unsigned input);

/* Takes the next chunk of that input. But for CHUNK_END, where it has nothing
 * but its buffer, the block is then to be freed; after CHUNK_ERROR it has
 * failed. */
enum chunk_next compare_block_cut(struct compare_reader *r,
                                  struct chunker *chunker,
                                  struct compare_block *b, unsigned input);

/* After CHUNK_READY: finds its rows, and may find it to have failed. */
void compare_block_decode(struct compare_reader *r, struct chunker *chunker,
                          struct compare_block *b, const struct input *input);

/* False where what was compared was not the file's. */
bool compare_block_free(const struct compare_job *job, struct chunker *chunker,
                        struct compare_block *b, struct error *e);
