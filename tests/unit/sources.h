/* SPDX-License-Identifier: MIT */
/* Inputs for the tests of the chunkers: files and pipes of random elements,
 * with the elements that must be read from them. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "format/input.h"

enum { SOURCES_MAX = 200 };

/* The chunker opens a late pipe at its turn, unless it is the first input. */
enum source_kind { SOURCE_FILE, SOURCE_PIPE, SOURCE_LATE_PIPE };

struct source {
    enum source_kind kind;
    bool npy; /* with a header, so that its length is known */
    size_t elements;
    size_t skip; /* bytes before the data, skipped by --skip-bytes */
    bool big_endian;
    int extra; /* surplus bytes; negative: missing bytes */

    char name[512];
    struct input_settings settings;
    unsigned char *bytes; /* contents of the file; owned */
    size_t n;             /* length of `bytes` */
    int pipe[2];
    pthread_t writer; /* thread that writes to the pipe, if `writing` */
    bool writing;
};

struct dataset {
    enum dtype dtype;
    size_t size, count; /* bytes of an element; sources */
    struct source source[SOURCES_MAX];
    struct input input[SOURCES_MAX];
    /* All expected elements, in the machine's byte order; owned. */
    unsigned char *want;
    size_t elements;
};

/* Makes the files and pipes and opens the inputs. The caller sets the fields
 * above `name`. Returns false if an input could not be opened. */
bool dataset_open(struct dataset *d, struct error *e);
void dataset_close(struct dataset *d);
