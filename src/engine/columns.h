/* SPDX-License-Identifier: MIT */
/* Reduces chunks on the CPU: decodes a chunk into columns, then steps every
 * monoid over every column. The CPU backend does nothing else; other backends
 * use it for chunks that they leave to the CPU. */
#pragma once

#include <stdbool.h>

#include "chunk/chunk.h"
#include "engine/job.h"
#include "engine/owner.h"
#include "reduce/column.h"

struct columns;

/* Used by one thread. The job must outlive it. */
struct columns *columns_open(const struct job *job, struct error *e);
void columns_close(struct columns *c);

/* Reduces a chunk and adds it to the owner's states. */
bool columns_run(struct columns *c, const struct chunk *chunk,
                 struct owner *owner, struct error *e);

/* Call it after the last chunk. Adds the records that this thread kept for its
 * keys to the run's. */
bool columns_collect(struct columns *c, struct error *e);

/* Adds a group's column of a chunk to the owner's states: its counts, and its
 * values to the states of a set of monoids. False if a state that grows with
 * the data finds no memory. */
bool columns_add(struct columns *c, unsigned set, const struct column *column,
                 const struct chunk *chunk, struct owner *owner, size_t group,
                 struct error *e);
