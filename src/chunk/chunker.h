/* SPDX-License-Identifier: MIT */
/*
 * Who cuts a dataset, its inputs one after the other, into chunks for many
 * threads at once: a table for each way of cutting.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chunk/chunk.h"

struct input;

/* Of one run; each way of cutting has its own. */
struct chunker;

struct chunker_options {
    bool may_map;  /* files are mapped, for those who read anywhere */
    bool portable; /* the base loops, whatever the machine has */
};

/* Gives the index of an element whose place in the data is known, as any thread
 * may ask once its chunk was cut. index NULL: the place is the index. */
struct index_map {
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;
};

struct chunker_kind {
    size_t slack; /* bytes that a buffer needs above those wanted */
    /* chunk->first is the index of the chunk's first element, a multiple of
     * CHUNK_ELEMENTS where all ask for multiples of it, and every row has an
     * element. Else what comes before a chunk is known at the end. */
    bool is_indexed;

    /* The inputs share a dtype, the first one's, and stay the caller's;
     * deferred ones are opened on the way. Sets *index where indexes are not
     * places. */
    struct chunker *(*open)(struct input *inputs, size_t count,
                            const struct chunker_options *options,
                            struct index_map *index, struct error *e);
    void (*close)(struct chunker *c);

    /* Any thread: the next chunk, in the machine's byte order, in the buffer or
     * mapped, there at any alignment; to be given to `done`. On CHUNK_ERROR
     * chunk->sequence says where it belongs among the chunks. */
    enum chunk_next (*next)(struct chunker *c, const struct want *want,
                            struct chunk *chunk, struct error *e);
    /* Any thread: the chunk's data is no longer needed. False when it turns out
     * that the data was not there: what was made of it does not count. */
    bool (*done)(struct chunker *c, const struct chunk *chunk, struct error *e);
    /* Any thread: something is wrong in the chunk of this sequence. Nothing
     * after it is cut that nobody has asked for; what is before it may be, so
     * that what is wrong there is found. */
    void (*stop)(struct chunker *c, uint64_t sequence);
};

/* Elements: a chunk has all bytes wanted, a multiple of the element's size,
 * also across inputs, unless it is the last. */
extern const struct chunker_kind chunker_elements;

/* Whole records of text: those that start in the bytes wanted. There may be
 * none. */
extern const struct chunker_kind chunker_records;
