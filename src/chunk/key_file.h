/* SPDX-License-Identifier: MIT */
/* The file of --keys: a regular file with a key for each element of the data.
 * Each thread reads the keys of its chunk. */
#pragma once

#include "format/input.h"

struct open_file;

/* All zeros if there is no such file. Const after key_file_open. */
struct key_file {
    struct input_settings settings;
    struct input input;
    bool is_open;
    struct open_file *file; /* owned; NULL: the file is empty */
    uint64_t n;             /* number of keys */
};

/* Opens a file of keys. If settings->has_dtype is false, the file must state
 * its dtype. The caller calls key_file_close even after a failure. */
bool key_file_open(struct key_file *k, const char *name,
                   const struct input_settings *settings, struct error *e);
void key_file_close(struct key_file *k);

/* Reads n keys from number `first` on, in the machine's byte order. Any
 * thread. */
bool key_file_read(const struct key_file *k, uint64_t first, size_t n, void *to,
                   struct error *e);

/* Sets the error that the number of keys is not `elements`. INPUT_UNKNOWN: the
 * data have more elements than keys. Returns false. */
bool key_file_differs(const struct key_file *k, uint64_t elements,
                      struct error *e);
