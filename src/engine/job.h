/* SPDX-License-Identifier: MIT */
/* What every stage of the engine knows of the reduction at hand. Const once
 * it runs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/state.h"

struct dealer;

struct job {
    enum dtype dtype;
    unsigned monoids;   /* set of MONOID_BIT */
    size_t chunk_bytes; /* of every slot: a multiple of CHUNK_ELEMENTS */
    int gpu;            /* device number for a GPU backend */
    bool fast;          /* float sums may round within blocks */
    bool portable;      /* CPU: the base loops, whatever the machine has */
    /* Gives the index of the element at a place where that differs; or NULL. */
    const struct dealer *map;
};

enum {
    /* Chunks are multiples of so many elements: a leaf of the product. */
    CHUNK_ELEMENTS = PROD_LEAF,
    /* What limbs and counters of one partial can hold. */
    CHUNK_BYTES_MAX = 256 << 20,
};

/* The states of a job's monoids over one chunk or over all. */
struct partial {
    uint64_t n; /* elements */
    struct state state[MONOIDS_END]; /* those of the job's monoids are set */
};

void partial_init(struct partial *p, const struct job *job);
void partial_merge(struct partial *into, const struct partial *from,
                   const struct job *job);
