/* SPDX-License-Identifier: MIT */
/* A file of keys, an element for each of the data (--keys): a regular one, of
 * which threads read the keys of their chunks. */
#pragma once

#include "format/input.h"

struct open_file;

/* All zeros: there is none. */
struct key_file {
    struct input_settings settings;
    struct input input;
    bool is_open;
    struct open_file *file; /* NULL: it has no bytes */
    uint64_t n;             /* elements */
};

/* Opens a file of this type, or of the type that it says itself where
 * settings->has_dtype is false. On failure, too, key_file_close must follow. */
bool key_file_open(struct key_file *k, const char *name,
                   const struct input_settings *settings, struct error *e);
void key_file_close(struct key_file *k);

/* Reads n elements from number `first` on, in the machine's byte order. Any
 * thread. */
bool key_file_read(const struct key_file *k, uint64_t first, size_t n, void *to,
                   struct error *e);

/* Sets the error of data that have so many elements, or more than the keys
 * where that is INPUT_UNKNOWN. Returns false. */
bool key_file_differs(const struct key_file *k, uint64_t elements,
                      struct error *e);
