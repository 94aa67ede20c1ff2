/* SPDX-License-Identifier: MIT */
/* What inflater.c and inflate_body.c share. */
#pragma once

#include "source/compressed/inflater.h"

/* The name of the kind of data, for messages. */
const char *member_noun(const struct inflater *f);

/* Sets the error of bytes that do not belong there. Returns false. */
bool member_junk(const struct inflater *f, uint64_t offset, struct error *e);

/* Starts the compressed part of a member. */
bool body_start(struct inflater *f, struct error *e);

/* Decodes until the input is used up, the output is full, or the part has
 * ended. Counts its bytes and their CRC. */
bool body_read(struct inflater *f, struct inflater_in *in,
               struct inflater_out *out, struct error *e);
