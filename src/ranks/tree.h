/* SPDX-License-Identifier: MIT */
/*
 * Parts go up a tree: in round k, rank r, if it is an odd multiple of k, sends
 * what it has merged to rank r - k. So ranks always merge parts that follow
 * their own, in the order of the data. One thread calls these.
 */
#pragma once

#include "base/error.h"
#include "plan/plan.h"
#include "ranks/link.h"
#include "saved/saved.h"

/* What a rank has merged so far. */
struct part {
    struct error error;       /* of kind ERROR_NONE: there is none */
    struct saved_bytes state; /* as saved_write makes it */
    struct saved_bytes
        chunks;            /* an array of struct place, one for each chunk */
    struct groups *groups; /* of this rank alone: its keys stay; or NULL */
};

/* A chunk_note, of an input by its number. */
struct place {
    uint64_t input, start, line;
    uint32_t bytes, lines, records, unused;
};

/* Merges what later ranks send. In the first rank *s then has the states of all
 * data; another rank sends them on. */
void tree_collect(const struct link *l, struct saved *s, struct part *mine);

/* In all ranks: *mine becomes that of the first rank, but for the groups. */
void tree_share(const struct link *l, struct part *mine);

/* Reads the states of a part of a rank; the part then has none. False, with
 * p->error. The caller calls saved_free in any case. */
bool tree_open(struct saved *s, struct part *p, int rank);

/* Gives the plan the states, as if they were merged by --merge, and the places.
 * The plan must not outlive tree_close, and only one may have them. */
bool tree_take(struct plan *plan, struct saved *s, const struct part *p,
               struct error *e);
void tree_close(void);

void part_free(struct part *p);
