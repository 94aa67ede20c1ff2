/* SPDX-License-Identifier: MIT */
/*
 * The threads that reduce what a stream brings. The caller hands parts of a
 * buffer to the crew, which splits each among its members. A member has a tile
 * of its own. All functions are the caller's, by one thread.
 */
#pragma once

#include "axis/tile.h"

struct crew;

/* Makes a crew of at most job->threads members, which start when there is work
 * for them. Returns NULL if memory runs out. */
struct crew *crew_open(const struct axis_job *job, struct axis_sink *sink,
                       struct error *e);

/* Returns how many members there were. */
unsigned crew_close(struct crew *c);

/* As tile_whole. Where several outputs fail, the error is that of the first. */
bool crew_whole(struct crew *c, const struct part *p, const char *data,
                size_t pitch, struct error *e);

/* All outputs of some slabs, empty, of which one may have elements. With by_row
 * its parts have whole rows, else some items of one. */
bool crew_begin(struct crew *c, const struct part *slabs, bool by_row,
                struct error *e);

/* As tile_add, of the slab that began. */
void crew_add(struct crew *c, const struct part *p, const char *data,
              size_t pitch);

/* The slab is complete: reads the operations of its outputs. */
bool crew_finish(struct crew *c, struct error *e);
