/* SPDX-License-Identifier: MIT */
/* Text reduced on the CPU: decoded, then every monoid over every column. The
 * CPU backend's way, and that of others with what they leave to the CPU. */
#pragma once

#include <stdbool.h>

#include "csv/decode.h"
#include "engine/chunk.h"
#include "engine/job.h"

struct columns;

/* For one thread. */
struct columns *columns_open(const struct job *job, struct error *e);
void columns_close(struct columns *c);

/* Reduces a chunk of text: out[job->columns]. */
bool columns_run(struct columns *c, const struct chunk *chunk,
                 struct partial *out, struct error *e);

/* Turns a partial's places in a column into rows of the chunk. */
void columns_map_rows(const struct job *job, const uint32_t *rows,
                      struct partial *p);
