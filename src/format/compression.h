/* SPDX-License-Identifier: MIT */
/* The table of compressions. What is compressed becomes a stream of the bytes
 * it stands for, and the formats see nothing else. */
#pragma once

#include "format/input.h"

enum { COMPRESSION_SUFFIXES = 4 };

struct compression {
    const char *name;
    const char *about;
    /* Of names that must be of this kind; the rest is the name of what is
     * inside, unless look sets that. */
    const char *suffix[COMPRESSION_SUFFIXES];
    bool (*is_magic)(const unsigned char *bytes, size_t have, bool forced);
    /* Finds where the packed bytes are and what they are: sets form,
     * packed_offset, packed_bytes, bytes, inside. */
    bool (*look)(struct input *input, struct error *e);
};

/* For input.c. Whether the input is compressed: then it is a stream from now
 * on, at its start. */
bool compression_look(struct input *input, struct error *e);

/* The look is over: a file is opened again when its turn comes. */
void compression_looked(struct input *input);
