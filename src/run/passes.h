/* SPDX-License-Identifier: MIT */
/* The passes over a dataset for quantiles. Each narrows the ranges of keys that
 * hold the values of the ranks. */
#pragma once

#include "plan/plan.h"
#include "reduce/cpu/search_kept.h"

/* What a pass asks of every group. The main thread writes it between passes;
 * workers read it during one. */
struct passes {
    struct rank_pass pass;             /* for the job; borrows `parts` */
    struct rank_parts *parts;          /* [groups], owned */
    struct rank_part part[DTYPES_END]; /* shared by the groups of a dtype */
    struct rank_part *cover; /* parts of groups with a sample; owned, or NULL */
    unsigned more;           /* passes over the data after the first */
    uint64_t spared;         /* bytes that a second pass would read */
};

/* False if memory ran out. The caller calls passes_close after the run. */
bool passes_open(struct passes *p, const struct dataset *d, struct error *e);
/* If a second pass would read the data again: samples them, so that the first
 * pass may suffice. */
bool passes_cover(struct passes *p, const struct plan *plan,
                  const struct dataset *d, struct error *e);
void passes_close(struct passes *p);

/* The CPU loops and the threads for keys in memory. */
struct kept_loops passes_loops(const struct plan *plan,
                               const struct dataset *d);

/* Runs one more pass over the dataset with the same teams, which asks p->parts.
 * Adds its time to the report. On success the caller closes *left. */
bool passes_again(struct passes *p, const struct dataset *d,
                  struct reduced *left, struct engine_report *report,
                  struct error *e);

/* After the first pass: finds the values of the ranks, with more passes by the
 * same teams if needed, and writes them to the states. Adds the passes' time
 * to the report. */
bool passes_finish(struct passes *p, const struct plan *plan,
                   const struct dataset *d, struct reduced *reduced,
                   struct engine_report *report, struct error *e);
