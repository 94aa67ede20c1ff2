/* SPDX-License-Identifier: MIT */
/* A sample of a dataset whose files are in the page cache: the keys of what is
 * in blocks spread evenly over it. */
#pragma once

#include "plan/plan.h"
#include "reduce/cover.h"

/* Of all groups. */
struct sample {
    struct rank_sample *of; /* [groups] */
    size_t groups, blocks;
    uint64_t *key;  /* [keys]: of all groups; a group has at most `room` */
    size_t *end;    /* [groups][blocks] */
    uint64_t bytes; /* of the data that were read */
};

/* Reads a sample at places that depend on nothing but the size of the data.
 * Leaves it without blocks where the data are not in memory, for a disk would
 * take as long for them as for all, or cannot be sampled: pipes, compressed
 * files, small ones. False where there is no memory. In any case to be
 * closed. */
bool sample_read(struct sample *s, const struct dataset *d, struct error *e);
void sample_close(struct sample *s);
