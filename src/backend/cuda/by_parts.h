/* SPDX-License-Identifier: MIT */
/* What by.c, by_odd.c and by_take.c share. No other file includes it. */
#pragma once

#include "backend/cuda/by.h"
#include "by/groups.h"

struct cuda_by {
    const struct job *job;
    struct gpu_by_set set;
    struct gpu_by_dictionary dictionary;
    uint64_t *bins; /* device */
    /* recorded after the last chunk's additions to the bins */
    cudaEvent_t added;
    uint64_t rows; /* rows added to the bins since they were empty */
    bool is_full;
    struct grouper *grouper; /* NULL before the first chunk */
    uint32_t *record; /* [known], owned: records of the dictionary's keys */
    size_t known;
    /* [room], owned: numbers of the rows' keys; records of a column's odd
     * values */
    uint32_t *number, *id;
    size_t room;
};

/* by_take.c */

/* Copies from the device, and waits for the copy. */
bool cuda_by_fetch(void *to, const void *from, size_t bytes, struct error *e);

/* Opens the grouper, if it is not yet open. */
bool cuda_by_begin(struct cuda_by *b, const struct owner *owner,
                   struct error *e);

/* Waits for all work under way, then gives records to the dictionary's new
 * keys. */
bool cuda_by_know(struct context *t, struct error *e);

/* Empties the bins into the records. */
bool cuda_by_empty(struct context *t, struct error *e);
