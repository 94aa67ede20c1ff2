/* SPDX-License-Identifier: MIT */
/* The parts of a chunk of elements. */
#pragma once

#include "chunk/file.h"

enum {
    /* Pieces of at least this size are worth reading outside the lock. */
    PIECE_MIN = 64 << 10,
    PIECES_MAX = 64,
};

/* A part of a chunk that is read after the lock was given back. */
struct piece {
    struct open_file *file;
    struct input *input;
    uint64_t offset;
    char *to;
    size_t bytes;
};

/* A chunk being put together. */
struct filling {
    char *to;
    size_t bytes, room;
    unsigned pieces;
    struct piece piece[PIECES_MAX];
};

/* Reads a piece, of which a file that was cut lacks bytes. Any thread. */
bool piece_read(const struct piece *p, struct error *e);

/* Makes the input's elements those of the machine. */
void piece_swap(const struct input *input, void *p, size_t bytes);
