/* SPDX-License-Identifier: MIT */
/*
 * Makes a plan from the options and a first look at the inputs. The plan says
 * which datasets there are, what is computed, on which devices, in which
 * chunks, and what is printed. It is const afterwards; later stages never read
 * the options.
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
struct saved;

/* Inputs that are reduced together. Const while it is reduced, except for the
 * inputs, which change as they are read. */
struct dataset {
    struct input *inputs; /* [count], some of the plan's */
    size_t count;
    const struct csv_table *table; /* the columns of text; else NULL */
    const struct csv_table *names; /* `table` if it has names; else NULL */
    size_t rows;                   /* rows of results */
    bool by_column;                /* results are printed with column names */
    enum empty_mode empty;
    bool has_axes;            /* an array that is reduced along axes */
    struct geometry geometry; /* its shape, if has_axes */
    const char *left;         /* why not the device asked for; or NULL */
    struct derived *derived;  /* expressions; owned by the plan, or NULL */
    struct folds *folds;      /* --reduce; owned by the plan, or NULL */
    bool counts_records;      /* records are numbered: one worker reads them */
    uint64_t bytes;           /* of inputs; INPUT_UNKNOWN with a stream */
    struct job job;
    struct team team[TEAMS_MAX];
    size_t teams;
    /* A device that may reduce the data alone instead of `team`; the run
     * decides. Without a backend: none. */
    struct team instead;
    /* For quantiles and histograms: the first pass counts values in
     * 2^rank_bits bins, and later passes may read the data again. 0: the first
     * pass keeps all values. */
    unsigned rank_bits;
    bool reads_again;
};

/* The counts that each element of JSON has besides the ops asked for. */
enum plan_tally { PLAN_MISSING, PLAN_BAD, PLAN_NAN, PLAN_ROWS, PLAN_TALLIES };

struct plan {
    /* What is computed. */
    const struct op *op[OPS_MAX];
    enum op_shown shown[OPS_MAX]; /* when the op is printed */
    size_t ops, asked;            /* all; the first `asked` are asked for */
    unsigned monoids;             /* that all ops need: a set of MONOID_BIT */
    enum nan_mode nan;
    enum interpolation interpolation; /* of quantiles */
    size_t bins;                      /* of histograms; 0: none is asked for */
    bool has_range;                   /* --range is given */
    double range[2];                  /* its least and greatest edge */
    enum empty_mode empty;       /* for datasets whose columns have no names */
    struct assertion *assertion; /* [assertions], owned */
    size_t assertions;
    struct formula_texts texts;    /* --where, --let, --map */
    const char *reduce, *identity; /* --reduce; or NULL */
    bool any_order; /* --commutative: partials combine in any order */
    char *named;    /* columns that conditions name, as a list for -c; owned */
    bool has_axes;  /* arrays are reduced along axes */
    int64_t axis[RANK_MAX]; /* [axes]; negative: from the end */
    unsigned axes;
    bool axes_keep;           /* --keepdims: reduced axes stay, with size 1 */
    uint64_t shape[RANK_MAX]; /* [shape_rank] of raw data; may be SIZE_OPEN */
    unsigned shape_rank;
    bool by, by_first;    /* --by or --keys; --order first */
    uint64_t part, parts; /* --part R/N: inputs are pieces of files; or 0 */
    bool of_pairs;        /* the ops take two columns */
    bool has_weights;
    bool only_rows; /* only `rows` is printed, once for all columns */
    bool fast;      /* --fast: float sums may round within blocks */
    bool verify;
    const char *save; /* --save-state; or NULL */
    /* --merge: the states of all FILEs; gpureduce-mpi: of all ranks; owned */
    struct saved *merged;
    /* gpureduce-mpi: where the records of these are. The run takes them. */
    struct chunk_notes *merged_notes;
    /* gpureduce-mpi by key: how the ranks print together (run/joint.h) */
    struct joint *joint;
    /* How the operations were asked for: bit 0 as the summary, 1 by describe,
     * 2 by all. */
    unsigned asked_as;
    bool compares; /* --compare: the ops are those of comparison.h */
    struct compare_tolerance tolerance;

    /* What is printed. */
    enum output_format form;
    size_t tally[PLAN_TALLIES]; /* for JSON: the number of each count's op */
    /* For JSON, if `mode` is asked for: the numbers of `mode_count` and of
     * `mode_ties`. */
    size_t of_mode[2];
    /* For JSON and --verbose: for each op asked for that is an index, the
     * number of the op that is the element there; for others OPS_MAX. */
    bool has_places; /* there is such an op */
    size_t element[OPS_MAX];
    bool has_digits; /* --digits: reals are rounded to `digits` decimals */
    unsigned digits;
    bool per_file;
    bool op_per_line; /* named columns get a line for each op */
    bool verbose;
    bool reads_again;             /* quantiles or histograms may */
    bool has_bar, has_bar_always; /* --progress auto or always; always */

    struct input_settings settings;
    struct csv_settings csv;
    struct file_names names; /* of the inputs */
    struct key_file keys;    /* of --keys; else all zeros */
    struct input *inputs;
    size_t input_count;
    struct packs packs; /* FILEs with several arrays; each array is an input */
    struct dataset *datasets; /* see dataset_open */
    size_t dataset_count;

    uint64_t chunk_size;           /* --chunk-size in bytes; 0: tuned */
    const struct backend *backend; /* asked for; NULL: the plan chooses */
    int device[TEAMS_MAX];         /* numbers of the devices asked for */
    unsigned devices;
};

/* Does only the first part of plan_make: opens the inputs and finds what they
 * are. The notes and the meter may be NULL. */
bool plan_look(struct plan *plan, const struct options *o, struct notes *notes,
               struct meter *meter, struct error *e);

/* Makes the plan and opens its inputs, except those that can only be opened
 * late. Adds assumptions about them to the notes, and the time of reading them
 * to the meter. The caller calls plan_free in any case. The notes, the meter
 * and the strings of the options must outlive the plan. */
bool plan_make(struct plan *plan, const struct options *o, struct notes *notes,
               struct meter *meter, struct error *e);
void plan_free(struct plan *plan);

/* Adds the monoids that an op needs. */
void plan_need(struct plan *plan, const struct op *op);

/* Returns the number of an op in plan->op. Adds the op if it is not there.
 * Returns OPS_MAX if plan->op is full. The ops that the output adds always fit,
 * since a user may ask for no more than OPS_MAX - 8. */
size_t plan_number(struct plan *plan, const struct op *op);

/* Prepares a planned dataset to be reduced. With --per-file, opens a deferred
 * input and plans its dataset now; copies other datasets. Call it once for each
 * planned dataset that does not run in a batch, when its turn comes. The plan
 * owns the inputs and must outlive *ready. */
bool dataset_open(const struct plan *plan, const struct dataset *planned,
                  struct dataset *ready, struct error *e);

/* The dataset for --verify, with other chunks and threads. It uses the other
 * device; if there is none or the CPU was asked for, the CPU's portable loops.
 */
struct dataset dataset_verification(const struct plan *plan,
                                    const struct dataset *d);

/* The name of a column, which may hold NUL; `names` is the dataset's. The
 * result's `at` is NULL past the last column, and if columns have no names. */
struct csv_span dataset_column_name(const struct csv_table *names,
                                    size_t column);

/* The same of a column of the text that an expression reads: an input of the
 * dataset's formulas. */
struct csv_span dataset_input_name(const struct dataset *d, size_t input);

/* Whether the dataset's data can be read a second time. */
bool dataset_is_readable_twice(const struct dataset *d);

/* Whether the column is a column of text. */
bool dataset_is_text(const struct dataset *d, size_t column);

/* The dtype of the values of which a row of results is computed. */
enum dtype dataset_dtype(const struct dataset *d, size_t row);
bool dataset_is_bool(const struct dataset *d, size_t row);
/* Whether the dataset's results are by key. */
static inline bool plan_is_by(const struct dataset *d)
{
    return d->job.by.spec.keys > 0;
}

/* The table that names the columns of the key; NULL: the keys are elements. */
static inline const struct csv_table *dataset_key_names(const struct dataset *d)
{
    return d->derived && d->derived->names.keys > 0 ? &d->derived->names
                                                    : d->table;
}

/* The pairs of columns that rows of results are of, if any. */
static inline const struct pairing *dataset_pairing(const struct dataset *d)
{
    return plan_is_by(d) ? &d->job.by.pairing : &d->job.pairing;
}

/* The number of rows of results that each key has. */
static inline size_t dataset_rows_of_key(const struct dataset *d)
{
    const struct job_by *by = &d->job.by;
    return by->pairing.kind ? pairing_groups(&by->pairing)
           : by->columns    ? by->columns
                            : 1;
}

/* The number of columns that are reduced. */
static inline size_t dataset_columns(const struct dataset *d)
{
    return d->job.pairing.kind ? d->job.pairing.columns : d->job.columns;
}

/* Names the column of a row as "column 'a'" or "columns 'a' and 'b'"; "" if
 * columns have no names. Returns out. */
enum { GROUP_NAME_MAX = 2 * QUOTE_MAX + 20 };
const char *dataset_group_name(char out[GROUP_NAME_MAX],
                               const struct csv_table *names,
                               const struct pairing *pairing, size_t group);

/* --explain. */
void plan_explain(const struct plan *plan, FILE *to);
