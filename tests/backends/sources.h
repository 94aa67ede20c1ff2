/* SPDX-License-Identifier: MIT */
/*
 * A dataset spread over files and pipes in the current folder. The dataset is
 * in the order of the indexes. A file in Fortran order stores its elements in
 * another order.
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
    size_t from, n; /* the range of the dataset's elements */
    unsigned rank;
    size_t shape[3]; /* of .npy files */
    char name[16];
    pthread_t writer; /* thread that writes to the pipe; of SOURCE_FIFO only */
};

struct sources {
    const struct dataset *data;
    unsigned char *stored; /* in the order of the files; the caller's */
    bool reordered;        /* the stored order differs from the dataset's */
    size_t count;
    struct source source[SOURCES_MAX];
    struct input input[SOURCES_MAX];
    struct input_settings settings[SOURCES_MAX];
};

/* A way to spread a dataset over files. next() sets the kind and the size of
 * the next source; `left` elements are not yet placed. */
struct layout {
    const char *name;
    void (*next)(struct source *s, size_t left, struct random *random);
};

extern const struct layout layouts[]; /* the row after the last has no name */

/* Chooses the sources, writes all files but no pipes, and fills s->stored. */
void sources_write(struct sources *s, const struct dataset *d,
                   const struct layout *layout, struct random *random);

/* Starts the threads that write to pipes and opens the inputs. */
bool sources_open(struct sources *s, bool may_defer, struct error *e);

/* Closes the inputs and joins the writers. The files stay. */
void sources_close(struct sources *s);

void sources_remove(struct sources *s);
