/* SPDX-License-Identifier: MIT */
/*
 * Parts go up a tree: in round k, rank r, if it is an odd multiple of k, sends
 * what it has merged to rank r - k. So ranks always merge parts that follow
 * their own, in the order of the data. One thread calls these.
 */
#pragma once

#include "base/error.h"
#include "ranks/link.h"
#include "saved/saved.h"

/* What a rank has merged so far. */
struct part {
    struct error error;       /* of kind ERROR_NONE: there is none */
    struct saved_bytes state; /* as saved_write makes it */
    struct saved_bytes
        chunks; /* an array of struct place, one for each chunk */
};

/* A chunk_note, of an input by its number. */
struct place {
    uint64_t input, start, line;
    uint32_t bytes, lines, records, unused;
};

/* Merges what later ranks send. In the first rank *s then has the states of all
 * data; another rank sends them on. */
void tree_collect(const struct link *l, struct saved *s, struct part *mine);

void part_free(struct part *p);
