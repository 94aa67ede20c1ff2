/* SPDX-License-Identifier: MIT */
/* What every stage of the engine knows of the reduction at hand. Const once
 * it runs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reduce/state.h"
#include "reduce/wide.h"

struct csv_spec;
struct dealer;
struct meter;

struct job {
    enum dtype dtype;
    unsigned monoids;   /* set of MONOID_BIT */
    size_t chunk_bytes; /* elements: a multiple of CHUNK_ELEMENTS */
    const struct csv_spec *text; /* how text is read; NULL: elements */
    size_t columns;     /* text */
    int gpu;            /* device number for a GPU backend */
    bool fast;          /* float sums may round within blocks */
    bool portable;      /* CPU: the base loops, whatever the machine has */
    /* Gives the index of the element at a place where that differs; or NULL. */
    const struct dealer *map;
    struct meter *meter; /* or NULL */
};

enum {
    /* Chunks are multiples of so many elements: a leaf of the product. */
    CHUNK_ELEMENTS = PROD_LEAF,
    /* What limbs and counters of one partial can hold. */
    CHUNK_BYTES_MAX = 256 << 20,
};

/* The states of a job's monoids over one chunk or over all, of one column. */
struct partial {
    uint64_t n; /* elements; of text, cells used */
    /* Text: records = n + missing + bad. Indexes are those of records. */
    uint64_t records, missing, bad;
    uint64_t skipped; /* ragged records, of which nothing was read */
    uint64_t rounded; /* integers that f64 cannot hold, among the n */
    struct wide wide; /* others of them, which the states have exactly */
    /* The n values of a chunk, where job_ordered; else NULL. */
    void *values;
    struct state state[MONOIDS_END]; /* those of the job's monoids are set */
};

/* How many partials a chunk has. */
static inline size_t job_columns(const struct job *job)
{
    return job->text ? job->columns : 1;
}

/* Room of a slot: a chunk of text may be longer than asked for. */
size_t job_slot_bytes(const struct job *job);

/* The monoids that depend on where in the data a value is, which is not known
 * of a chunk of text: the fold makes them of the values. */
unsigned job_ordered(const struct job *job);

void partial_init(struct partial *p, const struct job *job);
void partial_merge(struct partial *into, const struct partial *from,
                   const struct job *job);

/* Frees the values of a chunk's partials. */
void partial_drop(struct partial *p, size_t columns);
