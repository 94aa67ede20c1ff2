/* SPDX-License-Identifier: MIT */
/* What every stage of the engine knows of the reduction at hand. Const once
 * it runs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "by/layout.h"
#include "chunk/reading.h"
#include "reduce/pairing.h"
#include "reduce/states.h"

struct csv_spec;
struct formulas;
struct meter;

struct job {
    enum dtype dtype;         /* of the data of every group, ... */
    const enum dtype *dtypes; /* ... or of each: [groups], for CPUs; or NULL */
    unsigned monoids;         /* set of MONOID_BIT */
    size_t chunk_bytes;       /* elements: a multiple of CHUNK_ELEMENTS */
    const struct reading *reading;
    const struct csv_spec *text; /* of records: how their cells are read */
    size_t columns;              /* of records; 0: the data is one group */
    struct pairing pairing;      /* which pairs of columns are the groups */
    bool texts;                  /* some columns are of text, which CPUs read */
    bool notes; /* chunks of records are noted, for lines_find */
    const struct formulas *formulas; /* of the decoder; or NULL */
    const struct rank_pass *ranks;   /* of quantiles; or NULL */
    struct job_by {
        struct by_spec spec; /* of no keys: there are none */
        /* What is asked for of each key; `monoids` then are of all rows. */
        unsigned monoids;
        size_t columns; /* 0: rows alone */
    } by;
    int device;             /* its number among the backend's */
    const void *run;        /* one for all workers; or NULL */
    bool is_shared;         /* other teams take part in the run */
    bool fast;              /* float sums may round within blocks */
    bool portable;          /* CPU: the base loops, whatever the machine has */
    struct index_map index; /* of the chunker */
    struct meter *meter;    /* or NULL */
};

enum {
    /* Chunks are multiples of so many elements: a leaf of the product. */
    CHUNK_ELEMENTS = PROD_LEAF,
    /* What limbs and counters of one chunk's result on a GPU can hold. */
    CHUNK_BYTES_MAX = 256 << 20,
    /* A position in records is chunk << ROW_BITS | row until the end, when it
     * is known how many come before each chunk. */
    ROW_BITS = 28,
};

/* How many groups a job has: each column of records is one, or each pair. */
static inline size_t job_groups(const struct job *job)
{
    return job->pairing.kind ? pairing_groups(&job->pairing)
           : job->columns    ? job->columns
                             : 1;
}

/* The states of pairs have the layouts of f64, whatever is read. */
static inline struct schema job_schema(const struct job *job)
{
    const enum dtype dtype = job->pairing.kind ? DTYPE_f64 : job->dtype;
    return (struct schema){
        job_groups(job), dtype_info(dtype)->computed, job->dtypes,
        job->texts && job->monoids & MONOID_BIT(ends), job->ranks};
}

/* Room of a slot: a chunk of records may be longer than asked for. */
size_t job_slot_bytes(const struct job *job);

/* The position of a chunk's first row. */
uint64_t job_position(const struct job *job, const struct chunk *chunk);

/* The monoids of the job that have to know so much of the elements; those of
 * NEED_ORDER are reduced by products.h. */
unsigned job_needing(const struct job *job, enum need need);

static inline unsigned job_ordered(const struct job *job)
{
    return job_needing(job, NEED_ORDER);
}
