/* SPDX-License-Identifier: MIT */
/*
 * Columns that expressions compute (--let, --map), and the condition that
 * selects records (--where). A decoder computes both for each chunk. First it
 * decodes the columns that the condition reads, and makes the mask of selected
 * rows. Then it decodes or computes the other columns, for these rows only.
 */
#pragma once

#include "chunk/decoder.h"
#include "expr/expr.h"

/* What a name in the expressions means. */
enum formula_source {
    FORMULA_CELLS,    /* a column of the table */
    FORMULA_ELEMENTS, /* the elements of raw data */
    FORMULA_INDEX,    /* the index of the record or element */
    FORMULA_COMPUTED  /* an earlier formula */
};

struct formula_input {
    enum formula_source source;
    size_t number; /* of the table's column, or of the formula */
};

/* Counts of the cells of an input, for --bad skip. Threads add to them. */
struct formula_read {
    _Atomic uint64_t bad; /* those that no group counts */
    _Atomic uint64_t values;
};

enum { FORMULAS_MAX = 64, FORMULA_NONE = FORMULAS_MAX };

/* Const during a run. Names in expressions are indexes of `input`. */
struct formulas {
    /* [count]; each may read those before it. */
    struct expr *expr;
    size_t count;
    bool has_condition;          /* the last one is the condition */
    struct formula_input *input; /* [inputs] */
    size_t inputs;
    /* [inputs], owned; NULL unless bad cells are skipped. */
    struct formula_read *read;
    bool counts_read; /* a pass over the data adds to `read` */
    /* [groups]: the formula that computes the group's values; FORMULA_NONE: the
     * values are those of a column of the table, column_of. */
    uint8_t *of_group;
    uint32_t *column_of; /* [groups]: that column's number in the table */
    /* Groups [0, reduced) have results; one more group may hold weights. */
    size_t groups, reduced;
    enum dtype *dtypes; /* [groups] */
    /* [keys], owned: the columns of the key, if some are computed. */
    struct formula_key {
        uint8_t formula; /* FORMULA_NONE: a column of the table, which ... */
        size_t of_table; /* ... has this number among its columns of the key */
    } * key;
    size_t keys;
    /* Row numbers in columns count selected rows only, because pairs of columns
     * are matched by these numbers. */
    bool packs_rows;
    /* Owned: the CUDA C text for a GPU (formulas_kernel); NULL: a GPU cannot
     * compute the formulas. For records, the field below is the number of the
     * table's columns that the GPU decodes first. */
    char *kernel;
    size_t cells;
};

/* The counts of a kernel that formulas_kernel wrote. */
struct formula_counts {
    uint64_t selected;  /* of elements */
    uint64_t odd;       /* not 0: the CPU must compute the chunk */
    uint64_t nans;      /* NaN among selected elements; for records: blocks */
    uint64_t first_nan; /* ~index in the chunk, or 0 */
};

/* Writes f's expressions over raw data of the dtype as a kernel in CUDA C, and
 * sets f->kernel to its text:
 *
 *   formula(const T *data, uint64_t n, uint64_t first, O *plain, O *nan,
 *           struct formula_counts *counts)
 *
 * The kernel adds to *counts and makes n values: computed ones, in double, or
 * those of the data. For an element that is not selected, `plain` gets -0 or 0,
 * and `nan` gets NaN; either array may be NULL.
 *
 * If `cells` is not 0, the expressions are over records, of which so many
 * columns are decoded, and the kernel is
 *
 *   formula(const T *data, const uint32_t *used, uint64_t n, uint64_t pitch,
 *           T *to, uint32_t *to_used, unsigned (*cells)[2],
 *           struct formula_counts *counts)
 *
 * It makes f->groups columns, in the form of gpu_csv_buffers
 * (kernels/csv/decode.h): values, bits of the records that have one, and the
 * numbers of records with a value and of selected records without. Returns
 * NULL, or the reason why there is no such kernel. */
const char *formulas_kernel(struct formulas *f, enum dtype dtype, bool is_bool,
                            size_t cells);

/* The dtype of computed columns. Integers that it cannot hold are listed, as
 * those of text are. */
#define FORMULA_DTYPE DTYPE_f64

/* The most bytes of a computed value as the text of a key: an integer or a bool
 * in digits, a float as JSON has it, or "nan", "inf" or "-inf". */
enum { FORMULA_KEY_MAX = 24 };

/* Starts counts of what expressions read, from 0, or ends them. Call it between
 * passes. */
void formulas_count_read(struct formulas *f, bool starts);

void formulas_free(struct formulas *f);

/* Decoders that decode text or elements and compute formulas. options->formulas
 * is set. */
extern const struct decoder_kind decoder_formulas_of_records,
    decoder_formulas_of_elements;
