/* SPDX-License-Identifier: MIT */
/*
 * A FILE that holds several arrays, each of which has results of its own: the
 * tensors of a safetensors file, the members of an .npz archive. The input of
 * such a FILE has a pack, and each array becomes an input by pack_input.
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
    /* For an archive's member: its number in pack->list, and its name there,
     * borrowed from the list. */
    size_t member;
    const char *listed; /* NULL: it is a tensor */
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
    /* The FILE while its parts are read (chunk/file.h), guarded by the lock.
     * The parts share one descriptor and one mapping. */
    pthread_mutex_t lock;
    struct open_file *file;
};

/* Makes an empty pack; NULL if memory ran out. The caller closes `file` before
 * pack_free, which accepts NULL. */
struct pack *pack_new(struct error *e);
void pack_free(struct pack *pack);

/* Whether all members have names of arrays, NAME.npy. */
bool pack_are_arrays(const struct zip_list *list);

/* Makes a pack of the members. Takes ownership of the list, and frees it if
 * memory ran out; the result is then NULL. */
struct pack *pack_of_members(struct zip_list *list, struct error *e);

/* Whether `wanted` is a pattern, which has * for any text, as in shells. NULL
 * is the pattern of all names. */
bool pack_is_pattern(const char *wanted);

/* Keeps the parts whose names fit the pattern and makes their full names after
 * `file`. False with ERROR_USAGE if none fits. */
bool pack_select(struct pack *pack, const char *pattern, const char *file,
                 struct error *e);

/* Sets the error that no part has the name `wanted`; it lists the names of the
 * parts. Returns false. */
bool pack_refuse(const struct pack *pack, const char *wanted, const char *file,
                 struct error *e);

/* Sets `input` after the first look to one tensor of the pack. False if the
 * tensor's type is not supported or is not that of --dtype. */
bool pack_set(struct input *input, const struct pack *pack,
              const struct pack_part *part, struct error *e);

/* Makes part i of the input's pack an input. `whole` must outlive it. On
 * success the caller passes *part to input_close. */
bool pack_input(const struct input *whole, size_t i, struct input *part,
                struct error *e);
