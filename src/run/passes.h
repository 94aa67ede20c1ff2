/* SPDX-License-Identifier: MIT */
/* The passes over a dataset that quantiles take: each narrows the ranges of
 * keys in which the values of the asked ranks are. */
#pragma once

#include "plan/plan.h"
#include "reduce/search.h"

/* What the first pass asks of every group. */
struct passes {
    struct rank_pass pass;             /* of the job */
    struct rank_parts *parts;          /* [groups] */
    struct rank_part part[DTYPES_END]; /* of those that have the dtype */
    struct rank_part *cover; /* of groups of which a sample is known */
    unsigned more;           /* passes over the data after the first */
    uint64_t spared;         /* bytes that another pass would read */
};

/* False where there is no memory. passes_close frees it, after the run. */
bool passes_open(struct passes *p, const struct dataset *d, struct error *e);
/* Where the data would be read again: samples them for a first pass that may
 * suffice. */
bool passes_cover(struct passes *p, const struct plan *plan,
                  const struct dataset *d, struct error *e);
void passes_close(struct passes *p);

/* One more pass over the dataset by the same teams, which asks p->parts. Adds
 * its time to the report. On success *left is the caller's to close. */
bool passes_again(struct passes *p, const struct dataset *d,
                  struct reduced *left, struct engine_report *report,
                  struct error *e);

/* After the first pass: searches on, with more passes by the same teams where
 * they are needed, and leaves the values of the ranks in the states. Adds the
 * passes' time and bytes to the report. */
bool passes_finish(struct passes *p, const struct plan *plan,
                   const struct dataset *d, struct reduced *reduced,
                   struct engine_report *report, struct error *e);
