/* SPDX-License-Identifier: MIT */
/* The parts of a chunk of elements that are read outside the chunker's lock. */
#pragma once

#include "chunk/file.h"

enum {
    /* Pieces of at least this size are worth reading outside the lock. */
    PIECE_MIN = 64 << 10,
    PIECES_MAX = 64,
};

/* A part of a chunk: `bytes` at `offset` of the file are read to `to`. A piece
 * holds a use of the file. */
struct piece {
    struct open_file *file;
    struct input *input;
    uint64_t offset;
    char *to;
    size_t bytes;
};

/* A chunk that is being filled. */
struct filling {
    char *to;           /* the worker's buffer */
    size_t bytes, room; /* read or in pieces; in all */
    unsigned pieces;
    struct piece piece[PIECES_MAX];
    size_t first, inputs; /* the inputs that the bytes come from */
};

/* Reads a piece. Fails if the file became too short for it. Any thread. */
bool piece_read(const struct piece *p, struct error *e);

/* Converts elements of the input to the machine's byte order. */
void piece_swap(const struct input *input, void *p, size_t bytes);
