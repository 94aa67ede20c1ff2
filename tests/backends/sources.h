/* SPDX-License-Identifier: MIT */
/*
 * A dataset spread over files and pipes in the current folder. What is in
 * Fortran order lies in the file in another order than in the dataset, which
 * is in the order of the indexes.
 */
#pragma once

#include <pthread.h>

#include "data.h"
#include "format/input.h"

enum { SOURCES_MAX = 400 };

enum source_kind {
    SOURCE_RAW,
    SOURCE_FIFO,
    SOURCE_NPY,
    SOURCE_NPY_BIG_ENDIAN,
    SOURCE_NPY_FORTRAN,
};

struct source {
    enum source_kind kind;
    size_t from, n; /* elements of the dataset */
    unsigned rank;
    size_t shape[3]; /* of .npy */
    char name[16];
    pthread_t writer; /* of a pipe */
};

struct sources {
    const struct dataset *data;
    unsigned char *stored; /* the bytes in the order of the files */
    bool reordered;        /* that differs from the dataset's */
    size_t count;
    struct source source[SOURCES_MAX];
    struct input input[SOURCES_MAX];
    struct input_settings settings[SOURCES_MAX];
};

/* How a dataset is spread: sets the kind and size of the next source, of
 * which at most `left` elements are left. */
struct layout {
    const char *name;
    void (*next)(struct source *s, size_t left, struct random *random);
};

extern const struct layout layouts[]; /* the name is NULL past the last */

/* Chooses the sources, writes all but pipes, fills s->stored. */
void sources_write(struct sources *s, const struct dataset *d,
                   const struct layout *layout, struct random *random);

/* Starts the writers of pipes and opens the inputs. */
bool sources_open(struct sources *s, bool may_defer, struct error *e);

/* Also ends the writers; the files stay. */
void sources_close(struct sources *s);

void sources_remove(struct sources *s);
