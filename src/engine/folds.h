/* SPDX-License-Identifier: MIT */
/*
 * The user's reduction (--reduce) of all groups. Workers make parts of chunks:
 * trees of elements, whose indexes are known, and values of records, whose
 * indexes are known when the chunks before are: then the values are combined to
 * trees, by workers in parallel. products.h brings the parts in order, first to
 * place and then to append them. Where any order will do, parts of records are
 * trees from the start.
 */
#pragma once

#include "chunk/chunk.h"
#include "engine/job.h"
#include "fold/fold.h"

/* What a chunk contributes. */
struct fold_part;
struct fold_part *fold_part_new(const struct job *job);
void fold_part_free(struct fold_part *part);
size_t fold_part_bytes(const struct fold_part *part); /* of its values */

/* Makes parts, for one worker. */
struct fold_steps;
struct fold_steps *fold_steps_open(const struct job *job, struct error *e);
void fold_steps_close(struct fold_steps *s);

/* Adds a group's column of a chunk of so many rows. False, with the error. */
bool fold_steps_add(struct fold_steps *s, const struct column *column,
                    const struct chunk *chunk, size_t rows, size_t group,
                    struct fold_part *part, struct error *e);

/* The parts of a run; the caller guards it by a lock. */
struct fold_run;
struct fold_run *fold_run_open(const struct job *job, struct error *e);
void fold_run_close(struct fold_run *run);

/* Says where the values of the part are: after those of the parts before. */
void fold_run_place(struct fold_run *run, struct fold_part *part);

/* Whether a part that was placed has values still to be combined. */
bool fold_part_has_values(const struct fold_part *part);

/* Combines them, without the lock, by folders that no other thread uses: those
 * of a worker, which made a part, or under the lock the run's. */
struct folders;
const struct folders *fold_part_folders(const struct fold_part *part);
const struct folders *fold_run_folders(const struct fold_run *run);
bool fold_part_combine(struct fold_part *part, const struct folders *folders,
                       struct error *e);

/* Takes ownership of a part that was placed and combined. Appends its trees as
 * soon as those of all parts before it were. */
bool fold_run_append(struct fold_run *run, struct fold_part *part,
                     struct error *e);

/* Sets states->folded. */
bool fold_run_finish(struct fold_run *run, struct states *states,
                     struct error *e);
