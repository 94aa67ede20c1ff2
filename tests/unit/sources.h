/* SPDX-License-Identifier: MIT */
/* Inputs for the tests of the chunkers: files and pipes of random elements, and
 * what must be read from them. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "format/input.h"

enum { SOURCES_MAX = 200 };

/* A late pipe is opened by the chunker, unless it is the first. */
enum source_kind { SOURCE_FILE, SOURCE_PIPE, SOURCE_LATE_PIPE };

struct source {
    enum source_kind kind;
    bool npy; /* with a header, so that the size is known */
    size_t elements;
    size_t skip; /* bytes before the data, passed over by --skip-bytes */
    bool big_endian;
    int extra; /* bytes too many, or too few where negative */

    char name[512];
    struct input_settings settings;
    unsigned char *bytes; /* of the file */
    size_t n;
    int pipe[2];
    pthread_t writer;
    bool writing;
};

struct dataset {
    enum dtype dtype;
    size_t size, count;
    struct source source[SOURCES_MAX];
    struct input input[SOURCES_MAX];
    /* All elements, in the machine's byte order. */
    unsigned char *want;
    size_t elements;
};

/* Makes the sources' bytes, files and pipes and opens the inputs. The fields
 * above `name` are the caller's; false where an input could not be opened. */
bool dataset_open(struct dataset *d, struct error *e);
void dataset_close(struct dataset *d);
