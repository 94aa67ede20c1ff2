/* SPDX-License-Identifier: MIT */
#include "by/pool.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* A block is as large as all before it, within these bounds. One of the
     * greatest size is a huge page, or several if pieces of one size would
     * leave more than a part in EACH at its end. The kernel gives huge pages
     * only to blocks that are whole numbers of them. */
    LEAST = 128 << 10,
    MOST = 2 << 20,
    EACH = 8,
};

struct by_block {
    struct by_block *next;
    char *at;
    size_t bytes;
};

/* At the start of a free piece. */
struct by_piece_free {
    struct by_piece_free *next;
};

bool by_pool_open(struct by_pool *p)
{
    *p = (struct by_pool){.total = 0};
    return pthread_mutex_init(&p->lock, NULL) == 0;
}

void by_pool_empty(struct by_pool *p)
{
    while (p->block) {
        struct by_block *block = p->block;
        distinct_give(block->at, block->bytes);
        p->block = block->next;
        free(block);
    }
    p->left = p->total = 0;
    p->free = NULL;
}

void by_pool_close(struct by_pool *p)
{
    by_pool_empty(p);
    pthread_mutex_destroy(&p->lock);
}

static bool add_block(struct by_pool *p, size_t least, enum distinct_lost *lost)
{
    size_t most = MOST;
    while (least < MOST && most % least > most / EACH)
        most += MOST;
    size_t bytes = p->total < LEAST ? LEAST : p->total < most ? p->total : most;
    bytes = bytes < least ? least : bytes;
    struct by_block *block = malloc(sizeof *block);
    char *at = block ? distinct_take(bytes, lost) : NULL;
    if (!at) {
        *lost = block ? *lost : DISTINCT_NO_MEMORY;
        free(block);
        return false;
    }
    *block = (struct by_block){p->block, at, bytes};
    /* Touched here, or several threads would make its pages zero at once. */
    *at = 0;
    p->block = block;
    p->at = at;
    p->left = bytes;
    p->total += bytes;
    return true;
}

char *by_pool_take(struct by_pool *p, size_t bytes, enum distinct_lost *lost)
{
    char *at = NULL;
    pthread_mutex_lock(&p->lock);
    if (p->free && bytes > BY_PIECE / 2 && bytes <= BY_PIECE) {
        at = (char *)p->free;
        p->free = p->free->next;
        memset(at, 0, bytes);
    } else if (p->left >= bytes || add_block(p, bytes, lost)) {
        at = p->at;
        p->at += bytes;
        p->left -= bytes;
    }
    pthread_mutex_unlock(&p->lock);
    return at;
}

void by_pool_give(struct by_pool *p, char *at, size_t bytes)
{
    pthread_mutex_lock(&p->lock);
    for (; bytes >= BY_PIECE; at += BY_PIECE, bytes -= BY_PIECE) {
        struct by_piece_free *piece = (struct by_piece_free *)at;
        piece->next = p->free;
        p->free = piece;
    }
    pthread_mutex_unlock(&p->lock);
}
