/* SPDX-License-Identifier: MIT */
/* Collects the results of a run while its datasets are reduced, and makes notes
 * about them. Each dataset has a row for each of its columns. */
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
    const struct csv_table *names; /* as in struct dataset, borrowed */
    struct pairing pairing;        /* the columns or pairs that rows are of */
    bool has_axes;            /* rows are the outputs of an array instead */
    struct geometry geometry; /* of that array */
    enum dtype dtype;   /* of its data; f64 for columns of several types */
    bool is_bool;       /* the dtype is u8, of 0 and 1 */
    uint64_t elements;  /* records, or elements of binary data */
    size_t first, rows; /* its first row among those of all parts; rows */
    /* Of text: indexes of records whose places are printed, ascending, and
     * their lines (0: not known). [indexes] each, in one block that index owns.
     */
    uint64_t *index, *line;
    size_t indexes;
    /* [rows], or by key [columns]; owned; NULL: not asked for. */
    struct histogram *histogram;
    struct by_rows *by; /* owned; NULL: there are no keys */
};

/* The outcome of a run over one dataset. */
struct outcome {
    struct reduced reduced; /* the caller calls reduced_close */
    uint64_t bytes;         /* of the data */
    uint64_t records;       /* of an array: its elements */
    unsigned backends;      /* as in struct answers_run */
    /* By row, or NULL. The outcome owns these until answers_add takes them. */
    struct histogram *histogram;
    struct by_rows *by;
};

/* Counts of one run, or of all together. */
struct answers_run {
    uint64_t records;  /* that were read, or elements of binary data */
    uint64_t rejected; /* how many of them were skipped because ragged */
    uint64_t bytes;    /* of the data */
    unsigned backends; /* that reduced data: bit i is backends[i] */
};

struct npy_stream;

struct answers {
    const struct plan *plan;
    struct npy_stream *stream; /* where values may go instead; or NULL */
    struct values values;      /* [rows][plan->ops] */
    struct answers_part *part; /* [parts], owned: one for each dataset */
    size_t parts;
    struct answers_run run;    /* the sums over all parts */
    bool by_column;            /* a part's rows are printed with column names */
    bool has_text, has_binary; /* some part is text; some part is binary */
};

/* Whether the row pairs a column with itself. Only matrices print such rows. */
bool answers_is_itself(const struct answers_part *part, size_t row);

/* The name of a file as results show it. */
const char *answers_file(const struct input *input);

/* Adds a part for a dataset, whose values, [rows][ops], were appended last.
 * Takes ownership of the outcome's histogram and `by`. */
bool answers_add(struct answers *a, const struct dataset *d,
                 const struct outcome *outcome, struct error *e);

/* As answers_add, with the counts of the run and the lines of its chunks. */
bool answers_add_part(struct answers *a, const struct dataset *d,
                      const struct answers_run *run,
                      const struct chunk_notes *notes, struct error *e);

/* Writes the results to fd. Call it after the last dataset. Leaves out ops of
 * the summary that do not apply. With plan->op_per_line, text has a line for
 * each op, or for each file and op, and its columns are those of the data. */
bool answers_print(const struct answers *a, int fd, struct error *e);

/* The values that are left empty. */
struct answers_empty {
    uint64_t n;
    size_t row;                                  /* of the first */
    char first[QUOTE_MAX + GROUP_NAME_MAX + 48]; /* its place and op */
};
void answers_find_empty(const struct answers *a, struct answers_empty *empty);

/* Notes that values are left empty, if any are. */
void answers_note_empty(struct notes *notes, const struct answers_empty *empty,
                        const struct plan *plan);

/* Whether some value of plan->op[op] is not 0. */
bool answers_any(const struct answers *a, size_t op);

void answers_free(struct answers *a);

/* Notes how much of the dataset was skipped or rounded. */
void answers_note(struct notes *notes, const struct dataset *d,
                  const struct reduced *reduced);
