/* SPDX-License-Identifier: MIT */
/*
 * Bytes between ranks. A rank that waits sleeps, because its core may belong to
 * the threads of another rank; MPI itself waits in a busy loop. The thread that
 * called link_open calls all of these. MPI ends the job if a call fails.
 */
#pragma once

#include <stdbool.h>

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

/* Sends bytes to a rank; waits until it takes them. */
void link_send(const struct saved_bytes *b, int to);

/* Receives what a rank sends. The caller frees b->at. `failed` if memory ran
 * out; the bytes are lost then. */
struct saved_bytes link_receive(int from);
