/* SPDX-License-Identifier: MIT */
/* Reduces chunks of rows with keys on the CPU: finds the key of each row, and
 * adds the row's columns to the key's record. */
#pragma once

#include "by/groups.h"
#include "chunk/decoder.h"
#include "engine/job.h"
#include "engine/owner.h"

struct keyed;

/* Sets *groups to new groups for a run, or to NULL if the job has no keys. */
bool keyed_groups(const struct job *job, struct groups **groups,
                  struct error *e);

/* Whether the states of a job's keys hold positions. */
bool keyed_has_positions(const struct job *job);

/* Used by one worker. The job and the groups must outlive it. */
struct keyed *keyed_open(const struct job *job, struct groups *groups,
                         struct error *e);
void keyed_close(struct keyed *k);

/* A chunk whose decoding has begun. */
struct keyed_chunk {
    const struct decoder_kind *kind;
    struct decoder *decoder;
    const struct chunk *chunk;
};

/* Adds the chunk's owner->rows rows to their keys, and counts all rows in the
 * owner's states. */
bool keyed_add(struct keyed *k, const struct keyed_chunk *source,
               struct owner *owner, struct error *e);

/* Call it after the last chunk. Adds the records that the worker kept to the
 * groups. */
bool keyed_end(struct keyed *k, struct error *e);
