/* SPDX-License-Identifier: MIT */
/* Chunks of rows with keys, on the CPU: finds the key of each row, and adds the
 * columns to the records of the keys. */
#pragma once

#include "by/groups.h"
#include "chunk/decoder.h"
#include "engine/job.h"
#include "engine/owner.h"

struct keyed;

/* Sets *groups to those of a run, or to NULL where the job has no keys. */
bool keyed_groups(const struct job *job, struct groups **groups,
                  struct error *e);

/* Whether a job's keys have states with positions. */
bool keyed_has_positions(const struct job *job);

/* Of one worker. The groups must outlive it. */
struct keyed *keyed_open(const struct job *job, struct groups *groups,
                         struct error *e);
void keyed_close(struct keyed *k);

/* A chunk that its decoder has begun with. */
struct keyed_chunk {
    const struct decoder_kind *kind;
    struct decoder *decoder;
    const struct chunk *chunk;
};

/* Adds its owner->rows rows. What is counted of all rows goes to the owner's
 * states. */
bool keyed_add(struct keyed *k, const struct keyed_chunk *source,
               struct owner *owner, struct error *e);

/* After the last chunk. */
bool keyed_end(struct keyed *k, struct error *e);
