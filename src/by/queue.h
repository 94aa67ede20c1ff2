/* SPDX-License-Identifier: MIT */
/*
 * Rows that wait for the run's tables. A worker adds some hundred of them to a
 * table at a time, so that it locks each table seldom, and finds more of a
 * table's records in its cache. The order and the positions of rows are lost: a
 * queue is for sums and counts, which need neither. base/memory.h counts it.
 */
#pragma once

#include "by/step.h"

enum {
    /* Rows of a table, at most. Those of a sum take 4 MiB for each worker. With
     * a quarter or four times as many, a run on 16 threads takes longer. */
    QUEUE_ROWS = 1024,
    QUEUE_COLUMNS = 8,
};

/* A row that waits. */
struct queued {
    struct key_sought key; /* short */
    uint64_t value[];      /* [columns of the queue] */
};

struct by_queue {
    size_t columns; /* of values, at most QUEUE_COLUMNS */
    size_t stride;  /* bytes of a struct queued */
    char *memory;   /* [GROUPS_TABLES][QUEUE_ROWS][stride], owned; NULL: not
                     * ready */
    char *end[GROUPS_TABLES];  /* of the rows that wait for each table */
    char *full[GROUPS_TABLES]; /* where they are added to it */
};

/* Starts as zeros. */
void queue_close(struct by_queue *q);
