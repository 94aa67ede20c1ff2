/* SPDX-License-Identifier: MIT */
/*
 * Memory of tables: pieces, cut from blocks that are freed together. Many
 * tables that grow side by side then share huge pages, and none has to map and
 * unmap memory of its own, which stops all threads.
 */
#pragma once

#include <pthread.h>

#include "reduce/distinct_memory.h"

enum { BY_PIECE = 16 << 10 };

/* Any thread may take pieces. base/memory.h counts the blocks. */
struct by_pool {
    pthread_mutex_t lock;
    struct by_block *block;     /* all blocks, the newest first */
    char *at;                   /* the newest one's free bytes */
    size_t left, total;         /* how many; bytes of all blocks */
    struct by_piece_free *free; /* given back, of BY_PIECE bytes each */
};

/* False: no memory. */
bool by_pool_open(struct by_pool *p);
/* Frees all pieces. */
void by_pool_empty(struct by_pool *p);
void by_pool_close(struct by_pool *p);

/* Zeroed memory for a multiple of 64 bytes, which begins a line of the cache.
 * NULL: *lost says why. */
char *by_pool_take(struct by_pool *p, size_t bytes, enum distinct_lost *lost);

/* Gives back a multiple of BY_PIECE bytes, for others to take. */
void by_pool_give(struct by_pool *p, char *at, size_t bytes);
