/* SPDX-License-Identifier: MIT */
/* Chunks reduced on the CPU: decoded into columns, then every monoid over every
 * column. The CPU backend's way, and that of others with what they leave to the
 * CPU. */
#pragma once

#include <stdbool.h>

#include "chunk/chunk.h"
#include "engine/job.h"
#include "engine/owner.h"
#include "reduce/column.h"

struct columns;

/* For one thread. */
struct columns *columns_open(const struct job *job, struct error *e);
void columns_close(struct columns *c);

/* Reduces a chunk and adds it to the owner's states. */
bool columns_run(struct columns *c, const struct chunk *chunk,
                 struct owner *owner, struct error *e);

/* After the last chunk: adds what was kept of all chunks to the run's states.
 */
bool columns_collect(struct columns *c, struct error *e);

/* Adds a group's column of a chunk to the owner's states: the counts, and the
 * values to those of a set of monoids. False where a state that grows with the
 * data finds no memory. */
bool columns_add(struct columns *c, unsigned set, const struct column *column,
                 const struct chunk *chunk, struct owner *owner, size_t group,
                 struct error *e);
