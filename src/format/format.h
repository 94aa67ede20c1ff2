/* SPDX-License-Identifier: MIT */
/* The table of data formats. A format is one file and one row. */
#pragma once

#include "format/input.h"

struct format {
    const char *name;
    const char *about;
    const char *suffix; /* a file with this suffix has this format; or NULL */
    /* Whether the first bytes are of this format. NULL: the format has no
     * magic. */
    bool (*is_magic)(const unsigned char *bytes, size_t have);
    /* Reads the header, if the format has one, and sets dtype, big_endian,
     * offset, bytes and exact. When it is called, input->offset is where the
     * contents start in the file. */
    bool (*look)(struct input *input, const struct input_settings *settings,
                 struct error *e);
};

/* Row i, in the order in which magic is tried; NULL past the last. */
const struct format *format_at(size_t i);

const struct format *format_find(const char *name);

/* The format of --format. NULL with the error if that is text, but the bytes
 * are a foreign format and no text, such as bzip2. */
const struct format *format_asked(struct input *input, struct error *e);

/* Chooses by magic, then by suffix, then text if the bytes read as text, then
 * raw. NULL with the error if the input is a foreign format or doubtful. */
const struct format *format_guess(struct input *input, struct error *e);

/* Whether the name promises raw data: data.f32, data.bin ... */
bool raw_is_name(const char *name);
/* The type that the name's suffix says, as -t takes it; NULL: none. */
const char *raw_type_of(const char *name);

bool raw_look(struct input *input, const struct input_settings *settings,
              struct error *e);
bool csv_look(struct input *input, const struct input_settings *settings,
              struct error *e);
bool tsv_look(struct input *input, const struct input_settings *settings,
              struct error *e);

/* False, with the error, if the first bytes are text of 2 or 4 bytes to a
 * character. Raw data may have a mark by chance: is_known says that the input
 * is text. */
bool csv_check_coding(const struct input *input, struct csv_span head,
                      bool is_known, struct error *e);

bool npy_is_magic(const unsigned char *bytes, size_t have);
bool safetensors_is_magic(const unsigned char *bytes, size_t have);
bool safetensors_look(struct input *input,
                      const struct input_settings *settings, struct error *e);
bool npy_look(struct input *input, const struct input_settings *settings,
              struct error *e);
