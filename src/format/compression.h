/* SPDX-License-Identifier: MIT */
/* The table of compressions. A compressed input becomes a stream of its
 * contents, so formats never see compressed bytes. */
#pragma once

#include "format/input.h"

enum { COMPRESSION_SUFFIXES = 4 };

struct compression {
    const char *name;
    const char *about;
    /* A file whose name has one of these suffixes must be of this kind. The
     * name without the suffix is the name of the contents, unless `look` sets
     * input->inside. */
    const char *suffix[COMPRESSION_SUFFIXES];
    /* Whether data with these first bytes are of this kind. `raw`: the user
     * asks for raw data, so the test must be stricter. */
    bool (*is_magic)(const unsigned char *bytes, size_t have, bool raw);
    /* Finds the compressed bytes and the name of the contents. Sets form,
     * packed_offset, packed_bytes, bytes and inside of the input. */
    bool (*look)(struct input *input, struct error *e);
};

/* For input.c: finds out whether the input is compressed. If it is, the input
 * becomes a stream at its start. Returns false only with an error. */
bool compression_look(struct input *input, struct error *e);

/* Raw data may start like compressed data by chance. If the user asks for raw
 * data, and the name does not promise compressed data, adds to the error *e how
 * to read them. Returns false. */
bool compression_doubt(const struct input *input, const struct compression *c,
                       struct error *e);

/* The codec that decodes a compressed input or checks its CRC. */
const struct codec *compression_codec(const struct input *input);

/* For input.c, after a format has looked: closes a compressed file, which is
 * opened again when its turn comes. */
void compression_looked(struct input *input);

/* The `look` function of zip archives. Sets input->pack if the input has
 * several arrays. */
bool archive_look(struct input *input, struct error *e);
