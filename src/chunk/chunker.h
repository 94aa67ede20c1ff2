/* SPDX-License-Identifier: MIT */
/*
 * A chunker cuts a dataset, one input after another, into chunks for many
 * threads in parallel. Each way of cutting is a table of functions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chunk/chunk.h"

struct input;

/* State for one run; each way of cutting defines its own. */
struct chunker;

struct chunker_options {
    bool may_map;  /* map files for workers that read anywhere */
    bool portable; /* use the base loops on any processor */
};

/* Converts the place of an element in the data to its index. Any thread may
 * call index(map, place) once the element's chunk was cut. If `index` is NULL,
 * the place is the index. The map lives as long as the chunker. */
struct index_map {
    uint64_t (*index)(const void *map, uint64_t place);
    const void *map;
};

struct chunker_kind {
    size_t slack; /* bytes that a buffer needs beyond want->bytes */
    /* If true, chunk->first is the index of the first element, and every row
     * has one element. If all workers ask for multiples of CHUNK_ELEMENTS,
     * `first` is a multiple, too. If false, the number of rows before a chunk
     * is known only at the end of the run. */
    bool is_indexed;

    /* Opens a chunker on inputs that share the dtype of the first. The inputs
     * stay the caller's. The chunker opens a deferred input when its turn
     * comes. Sets *index if indexes are not places. NULL on failure. */
    struct chunker *(*open)(struct input *inputs, size_t count,
                            const struct chunker_options *options,
                            struct index_map *index, struct error *e);
    void (*close)(struct chunker *c);

    /* Any thread: gets the next chunk, in the machine's byte order. It is in
     * the buffer, or in a mapping at any alignment. The caller passes it to
     * `done`. On CHUNK_ERROR chunk->sequence says where the error belongs among
     * the chunks. After an end or an error further calls return CHUNK_END. */
    enum chunk_next (*next)(struct chunker *c, const struct want *want,
                            struct chunk *chunk, struct error *e);
    /* Any thread: gives the chunk back. Returns false if the file was cut while
     * the data were in use; the caller must then discard what it computed from
     * them. */
    bool (*done)(struct chunker *c, const struct chunk *chunk, struct error *e);
    /* Any thread: reports an error in the chunk of this sequence. After this no
     * more chunks are cut, except earlier ones that workers have already asked
     * for, so that an error in those is found. */
    void (*stop)(struct chunker *c, uint64_t sequence);
};

/* Elements. Each chunk but the last has exactly the bytes wanted, a multiple of
 * the element's size, and may span inputs. */
extern const struct chunker_kind chunker_elements;

/* Whole records of text: those that start in the next `bytes` bytes of the
 * input. A chunk may have no record. */
extern const struct chunker_kind chunker_records;
