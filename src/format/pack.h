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
    /* Of an archive: its number in pack->list, and its name. */
    size_t member;
    const char *listed; /* NULL: it is a tensor */
    size_t listed_bytes;
    /* Of a tensor. */
    const char *dtype_name; /* as in the header */
    enum dtype dtype;       /* DTYPES_ALL_END: not supported */
    bool is_bool;
    unsigned rank;
    size_t shape;           /* index in pack->sizes of its first dimension */
    uint64_t offset, bytes; /* in the file */
};

struct pack {
    struct pack_part *part; /* [count], in the order of the file */
    size_t count;
    uint64_t *sizes;        /* owned; shapes of all parts */
    char *text, *full_text; /* owned; the names, and FILE:NAME */
    struct zip_list *list;  /* of an archive, owned; else NULL */
    /* Where data are in the file: all parts are inside. */
    uint64_t offset, bytes;
    /* The FILE while its parts are read (chunk/file.h), guarded by the lock.
     * The parts share one descriptor and one mapping. */
    pthread_mutex_t lock;
    struct open_file *file;
};

/* An empty pack; NULL without memory. pack_free takes NULL, and wants the file
 * closed before. */
struct pack *pack_new(struct error *e);
void pack_free(struct pack *pack);

/* Whether all members are arrays by their names, NAME.npy. */
bool pack_are_arrays(const struct zip_list *list);

/* A pack of the members, which takes the list. NULL without memory, and then it
 * is freed. */
struct pack *pack_of_members(struct zip_list *list, struct error *e);

/* Whether `wanted` is a pattern, in which * stands for any text, as in shells.
 * NULL is: it means all. */
bool pack_is_pattern(const char *wanted);

/* Keeps the parts whose names fit the pattern and makes their full names after
 * `file`. False with ERROR_USAGE if none fits. */
bool pack_select(struct pack *pack, const char *pattern, const char *file,
                 struct error *e);

/* Sets the error that no part is called `wanted`, with the names that there
 * are. Returns false. */
bool pack_refuse(const struct pack *pack, const char *wanted, const char *file,
                 struct error *e);

/* Fills `input`, which is looked at already, with one tensor of the pack. False
 * if its type is not supported or is not the one that --dtype gives. */
bool pack_set(struct input *input, const struct pack *pack,
              const struct pack_part *part, struct error *e);

/* Makes part i of the input's pack an input. `whole` must outlive it. On
 * success the caller passes *part to input_close. */
bool pack_input(const struct input *whole, size_t i, struct input *part,
                struct error *e);
