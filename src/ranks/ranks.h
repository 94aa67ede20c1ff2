/* SPDX-License-Identifier: MIT */
/*
 * gpureduce-mpi: the ranks of an MPI job each reduce a part of the data, and
 * the first one prints what one process prints. In gpureduce, which has no MPI,
 * these functions do nothing. One thread calls them.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "output/sink.h"
#include "plan/plan.h"

struct options;

#ifdef HAVE_MPI
/* Starts MPI. True in the first rank. All others call rank_follow. */
bool rank_open(void);

/* In the other ranks: waits for the first rank to plan, then reduces a part and
 * sends its states, or the error, towards the first rank. */
void rank_follow(int argc, char **argv);

/* In the first rank: reduces all data in parts and gives the plan their states,
 * which run_plan then prints. Leaves the plan as it is if there are no other
 * ranks or the data or the options allow no parts, and says why. False with the
 * error that comes first in the data. *plan must outlive the call of
 * rank_close. */
bool rank_reduce(struct plan *plan, const struct options *o, struct sink *sink,
                 struct error *e);

/* Waits for all ranks and ends MPI. */
void rank_close(void);
#else
static inline bool rank_open(void)
{
    return true;
}

static inline void rank_follow(int argc, char **argv)
{
    (void)argc;
    (void)argv;
}

static inline bool rank_reduce(struct plan *plan, const struct options *o,
                               struct sink *sink, struct error *e)
{
    (void)plan;
    (void)o;
    (void)sink;
    (void)e;
    return true;
}

static inline void rank_close(void)
{
}
#endif
