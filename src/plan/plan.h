/* SPDX-License-Identifier: MIT */
/*
 * Options and a look at the inputs become a plan, const from then on: which
 * datasets there are, what is computed of each, on which devices, in which
 * chunks, and what is printed. No later stage looks at the options.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "axis/geometry.h"
#include "base/error.h"
#include "base/meter.h"
#include "base/notes.h"
#include "base/quote.h"
#include "chunk/key_file.h"
#include "compare/loops.h"
#include "engine/engine.h"
#include "format/input.h"
#include "output/formats.h"
#include "plan/assertion.h"
#include "plan/files.h"
#include "plan/folds.h"
#include "plan/formulas.h"
#include "plan/packs.h"
#include "reduce/op.h"

struct options;

/* Inputs reduced together. Reading changes only the inputs. */
struct dataset {
    struct input *inputs; /* part of the plan's */
    size_t count;
    const struct csv_table *table; /* of text: says the columns; or NULL */
    const struct csv_table *names; /* the same where its columns have names */
    size_t rows;                   /* of results */
    bool by_column;                /* results are printed with these names */
    enum empty_mode empty;
    bool has_axes; /* it is an array that is reduced along axes, ... */
    struct geometry geometry; /* ... of this shape */
    const char *left;         /* why not on the device asked for; or NULL */
    struct derived *derived;  /* what expressions make; the plan's, or NULL */
    struct folds *folds;      /* of --reduce; the plan's, or NULL */
    bool counts_records;      /* one worker reads them in order */
    uint64_t bytes; /* known ones, INPUT_UNKNOWN with a stream among them */
    struct job job;
    struct team team[TEAMS_MAX];
    size_t teams;
    /* A device that may reduce the data alone, in place of the teams, which the
     * run decides; of no backend: none. */
    struct team instead;
    /* Of quantiles: the first pass counts in bins of so many bits, or keeps all
     * values where it is 0; then the data may be read again. */
    unsigned rank_bits;
    bool reads_again;
};

/* What each element of JSON says of its rows, and the op that counts them. */
enum plan_tally { PLAN_MISSING, PLAN_BAD, PLAN_NAN, PLAN_ROWS, PLAN_TALLIES };

struct plan {
    /* What is computed. */
    const struct op *op[OPS_MAX];
    enum op_shown shown[OPS_MAX]; /* when the op is printed */
    size_t ops, asked;            /* the first of them were asked for */
    unsigned monoids;             /* of all ops: set of MONOID_BIT */
    enum nan_mode nan;
    enum interpolation interpolation; /* of quantiles */
    size_t bins;                 /* of histograms; 0: they are not asked for */
    bool has_range;              /* the bins are those of a given range, ... */
    double range[2];             /* ... this */
    enum empty_mode empty;       /* where a dataset's columns are not named */
    struct assertion *assertion; /* [assertions]: of what is computed */
    size_t assertions;
    struct formula_texts texts;    /* --where, --let, --map */
    const char *reduce, *identity; /* --reduce; or NULL */
    bool any_order;                /* its partials may be combined in */
    char *named;   /* columns that they name, as a list like that of -c */
    bool has_axes; /* arrays are reduced along ... */
    int64_t axis[RANK_MAX]; /* ... so many axes; negative: from the end */
    unsigned axes;
    bool axes_keep;           /* with size 1 */
    uint64_t shape[RANK_MAX]; /* of raw data: [shape_rank], or SIZE_OPEN */
    unsigned shape_rank;
    bool by, by_first; /* results are by key; in the order of first rows */
    bool of_pairs;     /* the ops are of two columns */
    bool has_weights;
    bool only_rows; /* are printed, and they are the same for all columns */
    bool fast;      /* float sums may round within blocks */
    bool verify;
    bool compares; /* the two inputs; the ops are those of comparison.h */
    struct compare_tolerance tolerance;

    /* What is printed. */
    enum output_format form;
    size_t tally[PLAN_TALLIES]; /* where the form has elements: which ops */
    /* Where it has, and under --verbose: for each op that was asked for which
     * one is the element at its index, or OPS_MAX. */
    bool has_places; /* there is such an op */
    size_t element[OPS_MAX];
    bool has_digits; /* real values are rounded to so many decimals */
    unsigned digits;
    bool per_file;
    bool op_per_line; /* of named columns: a line for each op */
    bool verbose;
    bool reads_again;             /* some dataset, for quantiles */
    bool has_bar, has_bar_always; /* progress: at all; at once, anywhere */

    struct input_settings settings;
    struct csv_settings csv;
    struct file_names names; /* of the inputs */
    struct key_file keys;    /* of --keys; or all zeros */
    struct input *inputs;
    size_t input_count;
    struct packs packs; /* FILEs of several arrays, which are inputs each */
    struct dataset *datasets; /* to be given to dataset_open */
    size_t dataset_count;

    uint64_t chunk_size;           /* as asked, 0: tuned */
    const struct backend *backend; /* asked for; NULL: the plan's choice */
    int device[TEAMS_MAX];         /* numbers of those asked for */
    unsigned devices;
};

/* The part of plan_make that ends with the inputs opened: for who wants to know
 * what they are. The notes and the meter may be NULL. */
bool plan_look(struct plan *plan, const struct options *o, struct notes *notes,
               struct meter *meter, struct error *e);

/* Opens the inputs, but for those that can only be opened late. What is assumed
 * about them goes to the notes, and what reading them takes to the meter. In
 * any case the plan must be given to plan_free. The notes, the meter and the
 * strings of the options must outlive it. */
bool plan_make(struct plan *plan, const struct options *o, struct notes *notes,
               struct meter *meter, struct error *e);
void plan_free(struct plan *plan);

/* Adds what an op is computed from. */
void plan_need(struct plan *plan, const struct op *op);

/* The number of an op among the plan's, to which it is added where it was not
 * asked for. */
size_t plan_number(struct plan *plan, const struct op *op);

/* Makes the dataset that is reduced of a planned one when its turn comes. An
 * input that was deferred is opened only now, and the dataset is planned then;
 * others are copied. Call it once for each planned dataset. The plan, which
 * keeps the inputs, must outlive *ready. */
bool dataset_open(const struct plan *plan, const struct dataset *planned,
                  struct dataset *ready, struct error *e);

/* Another way to compute the same: other chunks and threads, and the other
 * device, or the CPU's portable loops where there is no other or the CPU was
 * asked for. */
struct dataset dataset_verification(const struct plan *plan,
                                    const struct dataset *d);

/* The name of a column, which may hold NUL. `names` is the dataset's; its `at`
 * is NULL past the last column, and where the columns have no names. */
struct csv_span dataset_column_name(const struct csv_table *names,
                                    size_t column);

/* Whether its data can be read a second time. */
bool dataset_is_readable_twice(const struct dataset *d);

/* Whether the column is one of text. */
bool dataset_is_text(const struct dataset *d, size_t column);

/* What the values of a row of results are. */
enum dtype dataset_dtype(const struct dataset *d, size_t row);
bool dataset_is_bool(const struct dataset *d, size_t row);
/* Whether its results are by key. */
static inline bool plan_is_by(const struct dataset *d)
{
    return d->job.by.spec.keys > 0;
}

/* How many of the dataset's columns are reduced. */
static inline size_t dataset_columns(const struct dataset *d)
{
    return d->job.pairing.kind ? d->job.pairing.columns : d->job.columns;
}

/* Writes whose result a row is, as "column 'a'" or "columns 'a' and 'b'"; ""
 * where the columns have no names. Returns out. */
enum { GROUP_NAME_MAX = 2 * QUOTE_MAX + 20 };
const char *dataset_group_name(char out[GROUP_NAME_MAX],
                               const struct csv_table *names,
                               const struct pairing *pairing, size_t group);

/* --explain. */
void plan_explain(const struct plan *plan, FILE *to);
