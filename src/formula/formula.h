/* SPDX-License-Identifier: MIT */
/*
 * Columns that expressions compute (--let, --map), and the condition that
 * selects records (--where). A decoder makes both of a chunk: first it decodes
 * the columns that the condition reads and makes the mask of selected rows,
 * then it decodes or computes the other columns, for these rows only.
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

enum { FORMULAS_MAX = 64, FORMULA_NONE = FORMULAS_MAX };

/* Const during a run. Names in expressions are indexes of `input`. */
struct formulas {
    /* [count]; each may read those before it. */
    struct expr *expr;
    size_t count;
    bool has_condition;          /* the last one is the condition */
    struct formula_input *input; /* [inputs] */
    size_t inputs;
    /* [groups]: the formula that makes the group's values; FORMULA_NONE: its
     * column does. */
    uint8_t *of_group;
    uint32_t *column_of; /* [groups]: the table's column of the others */
    /* [0, reduced) have results; one more may hold weights. */
    size_t groups, reduced;
    enum dtype *dtypes; /* [groups] */
    /* Integers that f64 cannot hold are rounded, as of text: a product is made
     * of f64. */
    bool rounds;
    /* Rows of columns are numbered among the selected ones: pairs are made of
     * the selected rows alone. */
    bool packs_rows;
    /* What a GPU compiles (formulas_kernel), owned; NULL: it cannot. Of
     * records: how many columns of the table it decodes first. */
    char *kernel;
    size_t cells;
};

/* What such a kernel counts. */
struct formula_counts {
    uint64_t selected;  /* of elements */
    uint64_t odd;       /* not 0: the CPU must compute the chunk */
    uint64_t nans;      /* of the selected elements; of records: blocks */
    uint64_t first_nan; /* ~index in the chunk, or 0 */
};

/* Sets f->kernel, of f's expressions over raw data of the dtype, to the text of
 *
 *   formula(const T *data, uint64_t n, uint64_t first, O *plain, O *nan,
 *           struct formula_counts *counts)
 *
 * in CUDA C, which adds to *counts and makes n values: computed ones, in
 * double, or those of the data. Instead of values that are not selected,
 * `plain` gets -0 or 0, and `nan` gets NaN; either may be NULL.
 *
 * cells not 0: of expressions over records of so many decoded columns, to
 *
 *   formula(const T *data, const uint32_t *used, uint64_t n, uint64_t pitch,
 *           T *to, uint32_t *to_used, unsigned (*cells)[2],
 *           struct formula_counts *counts)
 *
 * which makes f->groups columns, with their bits and the counts of records that
 * have a value and of selected ones that have none, as gpu_csv_buffers
 * (kernels/csv/decode.h) have them. Returns NULL, or why there is no such
 * kernel. */
const char *formulas_kernel(struct formulas *f, enum dtype dtype, bool is_bool,
                            size_t cells);

/* The dtype of computed columns; integers beyond it are listed as those of
 * text are. */
#define FORMULA_DTYPE DTYPE_f64

void formulas_free(struct formulas *f);

/* Decodes text or elements, and computes. options->formulas is set. */
extern const struct decoder_kind decoder_formulas_of_records,
    decoder_formulas_of_elements;
