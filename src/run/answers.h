/* SPDX-License-Identifier: MIT */
/* The results of a run as its datasets are reduced, a row for each column of
 * each, and what is said of them on standard error. */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "plan/plan.h"
#include "reduce/histogram.h"
#include "reduce/values.h"
#include "run/by.h"

/* The rows of a dataset. */
struct answers_part {
    const struct input *input; /* [inputs], borrowed */
    size_t inputs;
    const struct csv_table *names; /* as the dataset's, borrowed */
    struct pairing pairing;        /* what its rows are of, ... */
    bool has_axes;                 /* ... or the outputs ... */
    struct geometry geometry;      /* ... of such an array */
    enum dtype dtype;              /* of its data */
    uint64_t elements;
    size_t first, rows; /* of all */
    /* Of text: the records that were asked for, ascending, and their lines, 0:
     * not known; [indexes], owned. */
    uint64_t *index, *line;
    size_t indexes;
    /* [rows], or by key [columns], owned; NULL: not asked for. */
    struct histogram *histogram;
    struct by_rows *by; /* owned; NULL: there are no keys */
};

/* A run over a dataset. */
struct outcome {
    struct reduced reduced; /* to be closed */
    uint64_t bytes;
    uint64_t records;            /* of an array: its elements */
    unsigned backends;           /* that had some of them */
    struct histogram *histogram; /* of its rows, until answers_add; or NULL */
    struct by_rows *by;          /* of its rows, until answers_add; or NULL */
};

/* What all runs together came to, besides results. */
struct answers_run {
    uint64_t records;  /* that were read, or elements of binary data */
    uint64_t rejected; /* of these: ragged ones of which nothing was read */
    uint64_t bytes;    /* of the data */
    unsigned backends; /* that reduced something: bits by the registry */
};

struct npy_stream;

struct answers {
    const struct plan *plan;
    struct npy_stream *stream; /* which may have the values; or NULL */
    struct values values;      /* [rows][plan->ops] */
    struct answers_part *part;
    size_t parts;
    struct answers_run run;
    bool by_column; /* some column is printed with its name */
    bool has_text, has_binary;
};

/* Whether the row is of a column and itself: those are in matrices alone. */
bool answers_is_itself(const struct answers_part *part, size_t row);

/* A file as it is printed. */
const char *answers_file(const struct input *input);

/* Takes the values of a dataset that were added last, [rows][ops], for
 * its rows. */
bool answers_add(struct answers *a, const struct dataset *d,
                 const struct outcome *outcome, struct error *e);

/* The same, given the results of the run, and which lines its chunks have. */
bool answers_add_part(struct answers *a, const struct dataset *d,
                      const struct answers_run *run,
                      const struct chunk_notes *notes, struct error *e);

/* After the last dataset: writes the results, without what the summary has
 * nothing to say of. Where an op per line is asked for, its columns are those
 * of the data: a line for each op, or for each file and op. */
bool answers_print(const struct answers *a, int fd, struct error *e);

/* Notes that values are left empty, if any are. */
void answers_note_empty(struct notes *notes, const struct answers *a);

void answers_free(struct answers *a);

/* Notes how much of the dataset was skipped or rounded. */
void answers_note(struct notes *notes, const struct dataset *d,
                  const struct reduced *reduced);
