/* SPDX-License-Identifier: MIT */
/*
 * The threads that reduce a stream's data. The caller hands parts of a buffer
 * to the crew, which splits each among its members. Each member has a tile of
 * its own. Only the caller's thread may call the functions.
 */
#pragma once

#include "axis/tile.h"

struct crew;

/* Makes a crew of at most job->threads members, which start when there is work
 * for them. Returns NULL if memory runs out. */
struct crew *crew_open(const struct axis_job *job, struct axis_sink *sink,
                       struct error *e);

/* Returns the number of members that the crew had. */
unsigned crew_close(struct crew *c);

/* As tile_whole. If several outputs fail, the error is that of the first. */
bool crew_whole(struct crew *c, const struct part *p, const char *data,
                size_t pitch, struct error *e);

/* Begins all outputs of some slabs, empty. If there is only one slab, crew_add
 * may add parts of it: with by_row, parts of whole rows, else parts of some
 * items of one row. */
bool crew_begin(struct crew *c, const struct part *slabs, bool by_row,
                struct error *e);

/* As tile_add, for the slab that began. */
void crew_add(struct crew *c, const struct part *p, const char *data,
              size_t pitch);

/* The slab is complete: reads the operations of its outputs. */
bool crew_finish(struct crew *c, struct error *e);
