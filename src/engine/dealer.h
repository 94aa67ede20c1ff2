/* SPDX-License-Identifier: MIT */
/*
 * Deals the elements of a dataset, its inputs one after the other, in chunks
 * to many threads at once. Every chunk is full but the last, also across
 * inputs, so what must not be cut, like a leaf of the product's tree, is not
 * where all ask for multiples of it.
 *
 * Regular files are read outside the lock, by offset, as many at a time as
 * there are threads; streams, and whatever a file grew by, under it.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/chunk.h"
#include "input/input.h"

struct dealer {
    pthread_mutex_t lock;
    struct input *inputs;
    size_t count;
    size_t element; /* bytes */
    bool may_map;

    /* Under the lock. */
    bool stopped;
    size_t current;         /* input */
    struct open_file *file; /* of the current input, or NULL */
    uint64_t taken;         /* bytes of the current input so far */
    uint64_t sequence;
    uint64_t elements; /* dealt, in all */

    /* Global index of each input's first element, UINT64_MAX until dealt. */
    _Atomic uint64_t *base;
};

/* The inputs share a dtype, the first one's, and stay the caller's; deferred
 * ones are opened on the way. With may_map, files are mapped, for those who
 * read anywhere. */
bool dealer_init(struct dealer *d, struct input *inputs, size_t count,
                 bool may_map, struct error *e);
void dealer_free(struct dealer *d);

/* Any thread: the next chunk, in the machine's byte order, in the buffer or
 * mapped, there at any alignment; to be given to dealer_done. Of the bytes
 * wanted, a multiple of the element's size, it has all unless it is the last.
 * On DEALT_ERROR chunk->sequence says where it belongs among the chunks, and
 * every later call gives DEALT_END. */
enum dealt dealer_next(struct dealer *d, const struct want *want,
                       struct chunk *chunk, struct error *e);

/* The chunk's data is no longer needed. False when it turns out that the data
 * was not there: what was made of it does not count. */
bool dealer_done(struct dealer *d, const struct chunk *chunk, struct error *e);

/* Any thread: ends the dealing. */
void dealer_stop(struct dealer *d);

/* Whether an element's index is not its place in the data, but must be asked
 * for (arrays in Fortran order); asked by any thread for dealt elements. The
 * dealer is a const void * so that dealer_index fits struct work. */
bool dealer_has_map(const struct dealer *d);
uint64_t dealer_index(const void *dealer, uint64_t place);
