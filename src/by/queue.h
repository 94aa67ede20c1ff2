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
    /* Rows of a table, at most. Those of a sum take 5 MiB for each worker. With
     * a quarter or four times as many, a run on 16 threads takes longer. */
    QUEUE_ROWS = 1024,
    QUEUE_COLUMNS = 8,
};

struct by_queue {
    size_t columns; /* of values, at most QUEUE_COLUMNS */
    char *memory;   /* [bytes], owned: the next two; NULL: not ready */
    size_t bytes;
    struct key_sought *key;    /* [GROUPS_TABLES][QUEUE_ROWS], of short keys */
    uint64_t *value;           /* [columns][GROUPS_TABLES][QUEUE_ROWS] */
    uint32_t n[GROUPS_TABLES]; /* rows that wait for each table */
    uint32_t full[GROUPS_TABLES]; /* with so many they are added to it */
};

/* Starts as zeros. Makes it ready for columns of 8 bytes, unless it is. False:
 * it would take more than a small share of the limit of memory. */
bool queue_open(struct by_queue *q, size_t columns);
void queue_close(struct by_queue *q);
