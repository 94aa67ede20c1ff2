/* SPDX-License-Identifier: MIT */
/* A sample of a dataset whose files are in the page cache: the keys of the
 * values in blocks that are spread evenly over it. */
#pragma once

#include "plan/plan.h"
#include "reduce/cover.h"

/* Filled by one thread, then const. sample_close frees what it owns. */
struct sample {
    struct rank_sample *of; /* [groups], owned */
    size_t groups, blocks;
    uint64_t *key;  /* [keys], owned: of all groups, at most `room` of each */
    size_t *end;    /* [groups][blocks], owned: keys of a group up to a block */
    uint64_t bytes; /* of the data that the sample read */
};

/* Reads a sample by up to `threads` threads; its places depend only on the size
 * of the data. A fine sample of elements has more and shorter blocks, for data
 * whose neighbours are alike. The sample has no blocks if the data are small or
 * cannot be sampled, as pipes and compressed files, or if they are not in
 * memory: a disk would take as long for a sample as for all. False if memory
 * ran out. The caller closes it in any case. */
bool sample_read(struct sample *s, const struct dataset *d, unsigned threads,
                 bool is_fine, struct error *e);
void sample_close(struct sample *s);
