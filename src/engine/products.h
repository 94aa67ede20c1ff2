/* SPDX-License-Identifier: MIT */
/*
 * The product of floats, which depends on the order of the data: chunks bring
 * what it is made of in whichever order they end, and it is multiplied in that
 * of the data. Few chunks are kept: a worker that is too far ahead waits. A
 * worker must push its chunks in their order.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/job.h"
#include "reduce/column.h"
#include "reduce/states.h"

enum {
    /* Chunks that may wait: while a GPU has one, CPU workers may reduce
     * hundreds of smaller ones. */
    PRODUCTS_WINDOW = 1024,
    /* Bytes of values that may wait: 512 KiB of text may be 2 MiB of them. */
    PRODUCTS_BYTES = 256 << 20,
};

/* What a chunk brings. */
struct parcel {
    size_t bytes;     /* of all values */
    struct prod prod; /* of its leaves, where chunks have whole ones; ... */
    size_t columns;   /* ... else, of so many groups, their values */
    struct parcel_column {
        void *values; /* [n] */
        size_t n;
    } column[];
};

struct products;

/* An empty one; NULL: no memory. */
struct parcel *parcel_new(const struct job *job);
void parcel_free(struct parcel *p);

/* Copies a group's values, where the parcel is of values. False where there is
 * no memory. */
bool parcel_add(struct parcel *p, size_t group, const struct column *column);

struct products *products_new(const struct job *job, struct error *e);
void products_free(struct products *p);

/* Takes over the parcel; NULL: a chunk of nothing. */
void products_push(struct products *p, uint64_t sequence,
                   struct parcel *parcel);

/* The run failed: nobody waits any longer. */
void products_stop(struct products *p);

/* After the last push: sets the groups' states. False where there was no memory
 * for some values. */
bool products_finish(struct products *p, struct states *states,
                     struct error *e);
