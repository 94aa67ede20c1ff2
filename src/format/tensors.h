/* SPDX-License-Identifier: MIT */
/* Reads the header of a safetensors file: for safetensors.c. */
#pragma once

#include "format/input.h"
#include "format/json.h"
#include "format/pack.h"

enum {
    TENSORS_PREFIX = 8, /* bytes before the header, which have its length */
};

/* The state of a reader of a header. The caller sets the first group of
 * fields. */
struct tensors {
    const struct input *input;
    const char *start; /* of the JSON */
    struct pack *pack; /* the caller has set its offset; receives the tensors */
    uint64_t data;     /* bytes after the header */
    struct error *e;

    struct json json;
    size_t room, sizes_room, sizes; /* of pack->part and pack->sizes */
    char *text;                     /* where the next name is written */
};

/* Reads the header of `length` bytes and checks what each tensor says. */
bool tensors_read(struct tensors *h, size_t length);

/* Sets the error of a malformed header, or of one tensor in it. Returns
 * false. */
bool tensors_bad(const struct tensors *h, const char *what);
bool tensors_bad_one(const struct tensors *h, const struct pack_part *part,
                     const char *what);
