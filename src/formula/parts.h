/* SPDX-License-Identifier: MIT */
/* The decoder's state, which the files of this room share. Each worker has a
 * decoder of its own, so no field needs a lock. */
#pragma once

#include "csv/decode.h"
#include "expr/vectors.h"
#include "formula/formula.h"
#include "reduce/mask.h"

/* An input's values in the current chunk, as numbers [0] and as texts [1]. */
struct formula_values {
    struct made {
        bool is_made;
        bool is_masked; /* `column` has the selected rows only */
        bool is_told;   /* some group counts the column's rounded values */
        struct column column;
        struct csv_kept kept;
    } made[2];
    size_t told_bad; /* bad cells of the chunk that a group counts */
    /* Copies of the current batch's values, if they cannot be used in place. */
    int64_t words[VECTOR_ROWS];
    struct expr_text texts[VECTOR_ROWS];
    uint8_t valid[VECTOR_ROWS], has_text[VECTOR_ROWS];
};

/* The state of one formula. */
struct formula_state {
    struct vectors *vectors; /* NULL: each record is evaluated by itself */
    /* The results below are those of the batch that starts at row `at`, and of
     * the single row `row`. */
    size_t at, row;
    bool fits, row_ok;
    struct expr_vector result;
    struct expr_value value;
    /* Its values in the whole chunk, which formula_keep fills: if other
     * formulas read it (is_read), and from its first batch on (is_kept). */
    bool is_read, is_kept;
    size_t used; /* the last pass that used them */
    struct csv_room kept;
};

struct decoder {
    const struct formulas *formulas;
    struct csv_decoder *csv; /* NULL: elements */
    struct csv_text text;
    enum dtype dtype; /* of cells or elements */
    bool rows_only;   /* only records are counted; no group reads cells */
    const struct csv_spec *spec;
    const struct chunk *chunk;
    size_t rows;            /* of the chunk */
    struct index_map index; /* of elements */
    uint64_t before; /* records in the chunks before it, in the file's order */
    struct column elements;
    struct formula_values *values; /* [formulas->inputs] */
    struct formula_state *state;   /* [formulas->count] */
    bool has_mask;                 /* some rows may not be selected */
    struct mask mask;
    struct csv_room selected_room, row_room, rank_room;
    struct csv_room value_room, place_room, bad_room; /* of a computed column */
    struct csv_wide_cells wide;
    struct csv_room key_room[CSV_KEYS_MAX]; /* texts of computed keys */
    /* The first row whose expression has no value; SIZE_MAX: none. */
    size_t failed;
    struct error error;
    size_t at, n;  /* the current batch */
    size_t picked; /* selected rows before it, while a formula is computed */
    size_t pass;   /* computed columns of the chunk so far; 0: it is selected */
    size_t kept_bytes; /* of state[].kept */
};

/* The mask of the rows that columns are decoded for; NULL: all rows. */
static inline const struct mask *formula_mask(const struct decoder *d)
{
    return d->has_mask ? &d->mask : NULL;
}

/* Callbacks for struct expr_batch and struct expr_record. The context is a
 * decoder. */
bool formula_load(void *context, uint32_t index, enum expr_type type,
                  struct expr_vector *vector);
bool formula_read(const void *context, uint32_t index, enum expr_type type,
                  struct expr_value *value, struct error *e);

/* The index of a row of the chunk: index() in expressions. */
uint64_t formula_index(const struct decoder *d, size_t row);

/* Evaluates a formula for the current batch. False: the caller must evaluate
 * each record by formula_row. */
bool formula_batch(struct decoder *d, size_t formula,
                   struct expr_vector *vector);
bool formula_row(struct decoder *d, size_t formula, size_t row,
                 struct expr_value *value, struct error *e);

/* formula_keep copies the result of a formula for the current batch, which
 * formula_recall then finds; false: it was not kept. The copies make a chain of
 * formulas cost as much as their number, not its square. */
void formula_keep(struct decoder *d, struct formula_state *s);
bool formula_recall(struct decoder *d, struct formula_state *s);

/* Makes the rows from `at` on the current batch. */
static inline void formula_begin(struct decoder *d, size_t at)
{
    d->at = at;
    d->n = d->rows - at < VECTOR_ROWS ? d->rows - at : VECTOR_ROWS;
}

/* Notes why a row's expression has no value. Of several rows, the first one's
 * error is kept. */
void formula_failed(struct decoder *d, size_t row, const struct error *e);

/* Makes d->mask. False if memory ran out. */
bool formula_select(struct decoder *d, struct error *e);

/* formula_compute makes the column of a formula. formula_filter copies the
 * selected rows of a column. */
void formula_compute(struct decoder *d, size_t formula, struct column *out);
void formula_filter(struct decoder *d, const struct column *from,
                    struct column *out);

/* Writes a formula's values as column `key` of the rows' keys
 * (FORMULA_KEY_MAX): -0 as 0.0, and what is missing or not selected as the
 * empty text. */
void formula_keys(struct decoder *d, size_t formula, size_t key,
                  struct text_cell *to);
