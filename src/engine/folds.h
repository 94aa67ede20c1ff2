/* SPDX-License-Identifier: MIT */
/*
 * The user's reduction (--reduce) of all groups. A worker makes a part of each
 * chunk. A part of elements has trees, since the elements' indexes are known. A
 * part of records has values, since their indexes are not known until the
 * chunks before are counted. Then the part is placed, and a worker combines its
 * values to trees, in parallel with others. products.h places and appends the
 * parts in the order of the data. If any order will do, parts of records have
 * trees from the start.
 */
#pragma once

#include "chunk/chunk.h"
#include "engine/job.h"
#include "fold/fold.h"

/* A chunk's contribution. */
struct fold_part;
struct fold_part *fold_part_new(const struct job *job);
void fold_part_free(struct fold_part *part);
size_t fold_part_bytes(const struct fold_part *part); /* bytes of its values */

/* Makes parts, for one worker. */
struct fold_steps;
struct fold_steps *fold_steps_open(const struct job *job, struct error *e);
void fold_steps_close(struct fold_steps *s);

/* Adds a group's column of a chunk, which has so many rows, to the part. False
 * with an error. */
bool fold_steps_add(struct fold_steps *s, const struct column *column,
                    const struct chunk *chunk, size_t rows, size_t group,
                    struct fold_part *part, struct error *e);

/* The parts of a run; the caller guards it by a lock. */
struct fold_run;
struct fold_run *fold_run_open(const struct job *job, struct error *e);
void fold_run_close(struct fold_run *run);

/* Sets the index of the part's first row: it follows the rows of all parts
 * placed before. `sequence` is that of its chunk. */
void fold_run_place(struct fold_run *run, struct fold_part *part,
                    uint64_t sequence);

/* Whether a placed part still has values to combine. */
bool fold_part_has_values(const struct fold_part *part);

/* Combines a part's values, with folders that no other thread uses: the calling
 * worker's own, which needs no lock, or the run's under the lock. */
struct folders;
const struct folders *fold_part_folders(const struct fold_part *part);
const struct folders *fold_run_folders(const struct fold_run *run);
bool fold_part_combine(struct fold_part *part, const struct folders *folders,
                       struct error *e);

/* Takes ownership of a part that was placed and combined. Appends its trees
 * once the trees of all parts before it are appended. False, with the error and
 * the sequence of the chunk where it is. */
bool fold_run_append(struct fold_run *run, struct fold_part *part,
                     uint64_t *sequence, struct error *e);

/* Sets states->folded. */
bool fold_run_finish(struct fold_run *run, struct states *states,
                     struct error *e);
