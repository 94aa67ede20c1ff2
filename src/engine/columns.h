/* SPDX-License-Identifier: MIT */
/* Text reduced on the CPU: decoded, then every monoid over every column. The
 * CPU backend's way, and that of others with what they leave to the CPU. */
#pragma once

#include <stdbool.h>

#include "csv/decode.h"
#include "engine/chunk.h"
#include "engine/job.h"
#include "engine/owner.h"

struct columns;

/* For one thread. */
struct columns *columns_open(const struct job *job, struct error *e);
void columns_close(struct columns *c);

/* Reduces a chunk of text and adds it to the owner's states. */
bool columns_run(struct columns *c, const struct chunk *chunk,
                 struct owner *owner, struct error *e);

/* Where the values of a column of a chunk are. */
struct places {
    uint64_t sequence;    /* of the chunk */
    const uint32_t *rows; /* of each value; NULL: value i is of row i */
};

/* The position of a row. */
static inline uint64_t places_of_row(const struct places *p, uint64_t row)
{
    return p->sequence << ROW_BITS | row;
}

/* Adds the values of a column to the states of its group: those of a set of
 * monoids, which do not depend on the order of the data. A state with positions
 * is made of the column alone, in places of its values, which then become
 * positions in the data. */
void columns_step(struct columns *c, unsigned set, const void *values, size_t n,
                  const struct places *places, struct states *states,
                  size_t group);
