/* SPDX-License-Identifier: MIT */
/*
 * The product of floats and the user's reduction, which depend on the order of
 * the data. Chunks end in any order; each pushes a part of leaves or values,
 * and the parts are combined in the order of the data. Their number is bounded:
 * workers too far ahead block. A worker must push its chunks in their order.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/folds.h"
#include "engine/job.h"
#include "reduce/column.h"
#include "reduce/states.h"

enum {
    /* Chunks that may wait: while a GPU has one, CPU workers may reduce
     * hundreds of smaller ones. */
    PRODUCTS_WINDOW = 1024,
    /* Bytes of values that may wait; 512 KiB of text may hold 2 MiB of them. */
    PRODUCTS_BYTES = 256 << 20,
};

/* A chunk's contribution. */
struct product_part {
    size_t bytes;     /* of all values */
    struct prod prod; /* of the chunk's leaves, if chunks have whole leaves */
    size_t columns;   /* groups whose values follow; 0: leaves */
    struct fold_part *fold;     /* of the user's reduction; or NULL */
    uint64_t sequence;          /* of its chunk; set by products_push */
    struct product_part *after; /* the next part in products.ready */
    struct product_part_column {
        void *values; /* [n] */
        size_t n;
    } column[];
};

struct products;

/* Makes an empty part, which the caller owns. NULL: out of memory. */
struct product_part *product_part_new(const struct job *job);
void product_part_free(struct product_part *p);

/* Copies a group's values into the part, if it holds values, not leaves. False:
 * out of memory. */
bool product_part_add(struct product_part *p, size_t group,
                      const struct column *column);

/* The job must outlive it. products_free accepts NULL. */
struct products *products_new(const struct job *job, struct error *e);
void products_free(struct products *p);

/* Takes ownership of the part; NULL means an empty chunk. Called by any
 * worker. Blocks while the chunk is too far ahead. */
void products_push(struct products *p, uint64_t sequence,
                   struct product_part *part);

/* Whether the user's reduction failed. If so, sets the error and the sequence
 * of the chunk where it failed. Any thread. */
bool products_failed(struct products *p, uint64_t *sequence, struct error *e);

/* Call it if the chunk of this sequence fails. From then on, parts of this
 * chunk and of later ones are dropped, and their pushes do not block. Parts of
 * earlier chunks are still combined, since the user's reduction may fail in
 * one. Any thread; p may be NULL. */
void products_stop(struct products *p, uint64_t sequence);

/* Call it after the last push. Sets the groups' states. False if memory ran out
 * for some values, or the user's reduction has no value. p may be NULL. */
bool products_finish(struct products *p, struct states *states,
                     struct error *e);
