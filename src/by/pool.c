/* SPDX-License-Identifier: MIT */
#include "by/pool.h"

#include <string.h>

enum {
    LINE = 64,
    /* A block is as large as all before it, within these bounds. One of the
     * greatest size is a huge page. It is greater if that had no room for EACH
     * pieces: else what is left at its end would be much of it. */
    LEAST = 128 << 10,
    MOST = 2 << 20,
    EACH = 8,
};

/* At the end of the block's bytes. */
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
        const struct by_block block = *p->block;
        distinct_give(block.at, block.bytes);
        p->block = block.next;
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
    const size_t each = EACH * least + LINE,
                 most = each > MOST && least < MOST ? each : MOST;
    size_t bytes = p->total < LEAST ? LEAST : p->total < most ? p->total : most;
    bytes = bytes < least + LINE ? least + LINE : bytes;
    char *at = distinct_take(bytes, lost);
    if (!at)
        return false;
    struct by_block *block = (struct by_block *)(at + bytes - LINE);
    *block = (struct by_block){p->block, at, bytes};
    p->block = block;
    p->at = at;
    p->left = bytes - LINE;
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
