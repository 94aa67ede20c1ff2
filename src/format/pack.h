/* SPDX-License-Identifier: MIT */
/*
 * A FILE with several arrays: the tensors of a safetensors file, or the members
 * of an .npz archive. Each array has results of its own. The input of such a
 * FILE has a pack; pack_input makes an input of each array.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "reduce/dtype.h"

struct input;
struct open_file;
struct zip_list;

struct pack_part {
    const char *name;
    const char *full; /* FILE:NAME; set by pack_select */
    /* For a member of an archive: its number in pack->list, and its name,
     * borrowed from the list. */
    size_t member;
    const char *listed; /* NULL: the part is a tensor */
    size_t listed_bytes;
    /* For a tensor. */
    const char *dtype_name; /* as in the header */
    enum dtype dtype;       /* DTYPES_ALL_END: not supported */
    bool is_bool;
    unsigned rank;
    size_t shape;           /* index in pack->sizes of its first dimension */
    uint64_t offset, bytes; /* in the file */
};

/* Const after the first look, except for `file`. */
struct pack {
    struct pack_part *part; /* [count], owned, in the order of the file */
    size_t count;
    uint64_t *sizes;        /* owned; shapes of all parts */
    char *text, *full_text; /* owned; the names, and FILE:NAME */
    struct zip_list *list;  /* of an archive, owned; else NULL */
    /* The range of the file that has the data of all parts. */
    uint64_t offset, bytes;
    /* The open FILE while its parts are read (chunk/file.h). The lock guards
     * `file`. All parts share one descriptor and one mapping. */
    pthread_mutex_t lock;
    struct open_file *file;
};

/* Makes an empty pack; NULL without memory. The caller closes `file` before
 * pack_free, which accepts NULL. */
struct pack *pack_new(struct error *e);
void pack_free(struct pack *pack);

/* Whether all members are named as arrays, NAME.npy. */
bool pack_are_arrays(const struct zip_list *list);

/* Makes a pack of the members. Takes ownership of the list. Without memory,
 * frees the list and returns NULL. */
struct pack *pack_of_members(struct zip_list *list, struct error *e);

/* Whether `wanted` is a pattern: it contains *, which matches any text; no
 * other character is special. NULL is the pattern of all names. */
bool pack_is_pattern(const char *wanted);

/* Keeps the parts whose names fit the pattern, and sets their full names, which
 * start with `file`. False with ERROR_USAGE if no name fits. */
bool pack_select(struct pack *pack, const char *pattern, const char *file,
                 struct error *e);

/* Sets the fields of `input` to those of one tensor of the pack. Call after the
 * first look. False if the tensor's type is not supported or differs from
 * --dtype. */
bool pack_set(struct input *input, const struct pack *pack,
              const struct pack_part *part, struct error *e);

/* Makes *part the input of part i of whole->pack. `whole` must outlive it. On
 * success the caller passes *part to input_close. */
bool pack_input(const struct input *whole, size_t i, struct input *part,
                struct error *e);
