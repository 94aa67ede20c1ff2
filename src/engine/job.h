/* SPDX-License-Identifier: MIT */
/* Describes a reduction to every stage of the engine. Constant during the run.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "by/layout.h"
#include "chunk/reading.h"
#include "reduce/pairing.h"
#include "reduce/states.h"

struct csv_spec;
struct folds;
struct formulas;
struct key_file;
struct meter;

struct job {
    enum dtype dtype; /* of all groups, unless `dtypes` is set */
    /* [groups], a dtype for each group; NULL: all have `dtype`. A GPU reduces
     * such jobs only for formulas (formula/formula.h). */
    const enum dtype *dtypes;
    unsigned monoids;   /* set of MONOID_BIT, for every group */
    size_t chunk_bytes; /* of elements: a multiple of CHUNK_ELEMENTS elements */
    const struct reading *reading; /* how to cut and decode the data */
    const struct csv_spec *text;   /* how to read cells; NULL: not records */
    size_t columns;                /* of records; 0: the data is one group */
    struct pairing pairing; /* which pairs of columns are the groups, if any */
    bool texts;  /* some columns are text, which only the CPU reduces */
    bool notes;  /* keep notes of chunks of records for lines_find */
    bool counts; /* count the records of each input */
    const struct formulas *formulas; /* computed columns, mask; NULL: none */
    const struct folds *folds;       /* the user's reduction; NULL: none */
    const struct rank_pass *ranks;   /* a pass for quantiles; NULL: none */
    struct job_by {
        struct by_spec spec; /* without keys: the job is not by keys */
        /* Monoids for each key; the job's own `monoids` are for all rows. */
        unsigned monoids;
        size_t columns; /* reduced by key; 0: rows are counted only */
        /* Results are of these pairs of columns; their values are kept. */
        struct pairing pairing;
        /* The file with the keys of elements; NULL: the decoder makes them. */
        const struct key_file *file;
    } by;
    int device;      /* number of the backend's device */
    const void *run; /* identifies the run: same for all workers; or NULL */
    bool is_shared;  /* other teams take part in the run */
    bool fast;       /* float sums may round within blocks */
    bool portable;   /* CPU: use the base loops, not the machine's best */
    struct index_map index; /* maps positions to indexes; from the chunker */
    struct meter *meter;    /* or NULL */
};

enum {
    /* Elements of a chunk are a multiple of this, except in the last chunk, so
     * that each chunk has whole leaves of the product's tree. */
    CHUNK_ELEMENTS = PROD_LEAF,
    /* Larger chunks would overflow the limbs and counters of a GPU's result. */
    CHUNK_BYTES_MAX = 256 << 20,
    /* Until the run ends, the position of a record is chunk << ROW_BITS | row.
     * At the end, the number of records before each chunk is known, and
     * positions become indexes. */
    ROW_BITS = 28,
};

/* The number of groups: each column, or each pair of columns, or all data. */
static inline size_t job_groups(const struct job *job)
{
    return job->pairing.kind ? pairing_groups(&job->pairing)
           : job->columns    ? job->columns
                             : 1;
}

/* The states of pairs have the layouts of f64, whatever the columns' dtypes. */
static inline struct schema job_schema(const struct job *job)
{
    const enum dtype dtype = job->pairing.kind ? DTYPE_f64 : job->dtype;
    return (struct schema){
        job_groups(job), dtype_info(dtype)->computed, job->dtypes,
        job->texts && job->monoids & MONOID_BIT(ends), job->ranks};
}

/* Bytes of a slot: chunk_bytes, and the bytes by which a chunk of records may
 * exceed them. */
size_t job_slot_bytes(const struct job *job);

/* The position of a chunk's first row. */
uint64_t job_position(const struct job *job, const struct chunk *chunk);

/* The job's monoids with this need. Those with NEED_ORDER are reduced by
 * products.h. */
unsigned job_needing(const struct job *job, enum need need);

static inline unsigned job_ordered(const struct job *job)
{
    return job_needing(job, NEED_ORDER);
}
