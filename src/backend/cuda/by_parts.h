/* SPDX-License-Identifier: MIT */
/* What by.c, by_odd.c and by_take.c share. Include it there only. */
#pragma once

#include "backend/cuda/by.h"
#include "by/groups.h"

struct cuda_by {
    const struct job *job;
    struct gpu_by_set set;
    struct gpu_by_dictionary dictionary;
    uint64_t *bins;             /* device */
    cudaEvent_t added;          /* the last chunk is in the bins */
    uint64_t rows;              /* that are in the bins */
    struct gpu_csv_words words; /* those that mean a missing key */
    bool is_full;
    struct grouper *grouper; /* NULL before the first chunk */
    uint32_t *record;        /* [known]: of the dictionary's keys */
    size_t known;
    uint32_t *number, *id; /* [room], by row */
    size_t room;
};

/* by_take.c */

/* Copies from the device, and waits. */
bool cuda_by_fetch(void *to, const void *from, size_t bytes, struct error *e);

/* Opens the grouper, if it is not yet open. */
bool cuda_by_begin(struct cuda_by *b, const struct owner *owner,
                   struct error *e);

/* Gives records to the dictionary's new keys, after all work under way. */
bool cuda_by_know(struct context *t, struct error *e);

/* Empties the bins into the records. */
bool cuda_by_empty(struct context *t, struct error *e);
