/* SPDX-License-Identifier: MIT */
/* The records of a stream, which is read in order, under the lock. */
#pragma once

#include "engine/records.h"

/* Reads a window's worth and deals the whole records that there are then; what
 * is left is kept for the next call. DEALT_END after the last. */
enum dealt stream_records(struct records *r, const struct input *input,
                          const struct want *want, struct chunk *chunk,
                          struct error *e);
