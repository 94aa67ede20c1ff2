/* SPDX-License-Identifier: MIT */
/* The table of data formats. A format is one file and one row. */
#pragma once

#include "format/input.h"

struct format {
    const char *name;
    const char *about;
    const char *suffix; /* of names that are taken for it, or NULL */
    /* Whether the first bytes are this format's. NULL: never by magic. */
    bool (*is_magic)(const unsigned char *bytes, size_t have);
    /* Reads what header there is and sets dtype, big_endian, offset, bytes and
     * exact. input->offset is where the file's data starts so far. */
    bool (*look)(struct input *input, const struct input_settings *settings,
                 struct error *e);
};

/* Rows in the order in which their magic is tried; NULL past the last. */
const struct format *format_at(size_t i);

const struct format *format_find(const char *name);

/* Chooses by magic bytes, then suffix, then text if it reads as such, then raw.
 * Refuses what is known to be something that is not read yet, and what is
 * doubtful. */
const struct format *format_guess(struct input *input, struct error *e);

/* Whether the name says raw data: data.f32, data.bin ... */
bool raw_is_name(const char *name);

bool raw_look(struct input *input, const struct input_settings *settings,
              struct error *e);
bool csv_look(struct input *input, const struct input_settings *settings,
              struct error *e);
bool tsv_look(struct input *input, const struct input_settings *settings,
              struct error *e);
bool csv_refuse_utf16(const struct input *input, struct error *e);
bool npy_is_magic(const unsigned char *bytes, size_t have);
bool npy_look(struct input *input, const struct input_settings *settings,
              struct error *e);
