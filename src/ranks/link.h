/* SPDX-License-Identifier: MIT */
/*
 * Bytes between ranks. A rank that waits sleeps, because its core may belong to
 * the threads of another rank; MPI itself waits in a busy loop. The thread that
 * called link_open calls all of these. The job ends if memory runs out or a
 * call of MPI fails.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "base/meter.h"
#include "saved/bytes.h"

struct link {
    int rank, ranks; /* this process; all */
    int local;       /* its number among the ranks of this machine */
    /* Its share of the cores that it may use, at least 1. */
    unsigned threads;
};

struct link link_open(void);
void link_close(void);

/* In all ranks: returns the word of the first rank. */
int link_tell(int word);

/* Ends all ranks, after an error that has no place in the data: a rank waits
 * for others in the middle of its work, and cannot return to main. */
_Noreturn void link_fail(const struct error *e);

/* Sends bytes to a rank, with whether more follow, while it appends what
 * another rank sends to *in; waits until both are done. `out` or `in` may be
 * NULL: nothing goes that way. Returns whether more will come in. */
bool link_exchange(const struct saved_bytes *out, bool more, int to,
                   struct saved_bytes *in, int from);
void link_send(const struct saved_bytes *b, int to);
struct saved_bytes link_receive(int from); /* the caller frees it */

/* In all ranks: adds what their meters count to *sum, which the first rank has,
 * ten times a second and in the end, until link_watch_end. Meanwhile nothing
 * else may be called here. NULL for `mine`, in all ranks: does nothing. */
void link_watch(const struct meter *mine, struct meter *sum);
void link_watch_end(void);

/* In all ranks: sets each of n counts to the sum of all ranks'. */
void link_add(uint64_t *counts, int n);
