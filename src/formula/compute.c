/* SPDX-License-Identifier: MIT */
/* Makes the mask of a condition, and computed columns. */
#include <string.h>

#include "formula/parts.h"

bool formula_batch(struct decoder *d, size_t formula,
                   struct expr_vector *vector)
{
    struct formula_state *s = &d->state[formula];
    const struct expr_batch batch = {formula_load, d, d->n};
    s->used = d->pass;
    /* Several formulas may read this one: it is computed once. */
    if (s->at != d->at) {
        const bool is_kept = formula_recall(d, s);
        s->fits = is_kept ||
                  (s->vectors && vectors_run(s->vectors, &batch, &s->result));
        s->at = d->at;
        if (s->fits && !is_kept)
            formula_keep(d, s);
    }
    *vector = s->result;
    return s->fits;
}

bool formula_row(struct decoder *d, size_t formula, size_t row,
                 struct expr_value *value, struct error *e)
{
    struct formula_state *s = &d->state[formula];
    const struct expr_record record = {formula_read, &d};
    d->state[d->formulas->count].row = row;
    if (s->row != row) {
        s->row_ok =
            expr_evaluate(&d->formulas->expr[formula], &record, &s->value, e);
        s->row = row;
    }
    *value = s->value;
    return s->row_ok;
}

void formula_failed(struct decoder *d, size_t row, const struct error *e)
{
    if (row >= d->failed)
        return;
    d->failed = row;
    d->error = *e;
}

/* Invalidates the results of batches and rows, since the columns changed. */
static void restart(struct decoder *d)
{
    for (size_t i = 0; i < d->formulas->count; i++) {
        d->state[i].at = d->state[i].row = SIZE_MAX;
        d->state[i].is_kept = false;
        d->state[i].used = 0;
    }
    d->pass = 0;
}

/* Sets the selected rows of the current batch. */
static bool select_batch(struct decoder *d, size_t condition, uint8_t *selected)
{
    struct expr_vector v;
    struct expr_value value;
    struct error e;
    if (formula_batch(d, condition, &v)) {
        const int64_t *is = v.values;
        for (size_t i = 0; i < d->n; i++)
            selected[i] = (uint8_t)is[i];
        for (size_t i = 0; v.has_missing && i < d->n; i++)
            selected[i] &= v.valid[i];
        return true;
    }
    memset(selected, 0, d->n);
    for (size_t i = 0; i < d->n; i++) {
        if (!formula_row(d, condition, d->at + i, &value, &e)) {
            formula_failed(d, d->at + i, &e);
            return false;
        }
        selected[i] = value.type == EXPR_BOOL && value.truth;
    }
    return true;
}

/* Lists the selected rows. */
static void list_rows(struct decoder *d)
{
    uint32_t *row = d->row_room.at, *rank = d->rank_room.at;
    const uint8_t *selected = d->selected_room.at;
    size_t n = 0;
    for (size_t i = 0; i < d->rows; i++) {
        row[n] = (uint32_t)i;
        n += selected[i];
    }
    for (size_t i = 0; d->formulas->packs_rows && i < n; i++)
        rank[row[i]] = (uint32_t)i;
    d->mask = (struct mask){d->rows, n, selected, row};
    d->has_mask = n < d->rows;
}

bool formula_select(struct decoder *d, struct error *e)
{
    const struct formulas *f = d->formulas;
    const size_t bytes = (d->rows + 1) * sizeof(uint32_t);
    restart(d);
    if (!f->has_condition)
        return true;
    if (!csv_have_room(&d->selected_room, d->rows + 1, e) ||
        !csv_have_room(&d->row_room, bytes, e) ||
        (f->packs_rows && !csv_have_room(&d->rank_room, bytes, e)))
        return false;
    uint8_t *selected = d->selected_room.at;
    memset(selected, 0, d->rows);
    for (size_t at = 0; at < d->rows; at += VECTOR_ROWS) {
        formula_begin(d, at);
        if (!select_batch(d, f->count - 1, selected + at))
            break;
    }
    list_rows(d);
    restart(d);
    return true;
}

/* Appends a value to a computed column. */
static bool append(struct decoder *d, const struct expr_value *value,
                   size_t row, struct column *out)
{
    double x = value->type == EXPR_FLOAT  ? value->real
               : value->type == EXPR_BOOL ? value->truth
                                          : (double)value->integer;
    if (value->type == EXPR_MISSING) {
        out->missing++;
        return true;
    }
    const bool is_wide =
        value->type == EXPR_INTEGER &&
        (value->integer > 1ll << 53 || value->integer < -(1ll << 53));
    if (is_wide) {
        const uint64_t bits = (uint64_t)value->integer;
        return csv_wide_add(&d->wide, row, value->integer < 0,
                            value->integer < 0 ? -bits : bits);
    }
    ((uint32_t *)d->place_room.at)[out->n] = (uint32_t)row;
    ((double *)d->value_room.at)[out->n++] = x;
    return true;
}

static bool is_wide(const struct expr_vector *v, size_t i)
{
    const int64_t x = ((const int64_t *)v->values)[i];
    return v->type == EXPR_INTEGER && (x > 1ll << 53 || x < -(1ll << 53));
}

/* The number of selected rows in the current batch. Only if d->has_mask. */
static size_t picked_of_batch(const struct decoder *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
        n += d->mask.selected[d->at + i];
    return n;
}

/* Appends those floats of a batch that are not missing, in the given rows. Rows
 * count from the start of the chunk. */
static void append_floats(struct decoder *d, const struct expr_vector *v,
                          const uint32_t *row, size_t rows, struct column *out)
{
    double *to = (double *)d->value_room.at;
    uint32_t *place = d->place_room.at;
    const double *x = v->values;
    size_t n = out->n;
    for (size_t k = 0; k < rows; k++) {
        const size_t i = row[k] - d->at;
        to[n] = x[i];
        place[n] = row[k];
        n += !v->has_missing || v->valid[i];
    }
    out->missing += out->n + rows - n;
    out->n = n;
}

/* Appends the values of a batch that are selected and not missing. */
static bool append_batch(struct decoder *d, const struct expr_vector *v,
                         struct column *out)
{
    double *to = (double *)d->value_room.at;
    uint32_t *place = d->place_room.at;
    const struct mask *mask = formula_mask(d);
    const int64_t *words = v->values;
    size_t n = out->n;
    bool ok = true;
    if (v->type == EXPR_FLOAT && mask) {
        append_floats(d, v, mask->row + d->picked, picked_of_batch(d), out);
        return true;
    }
    for (size_t i = 0; i < d->n; i++) {
        const bool is_selected = !mask || mask->selected[d->at + i];
        const bool is_valid = !v->has_missing || v->valid[i];
        double x = (double)words[i];
        if (v->type == EXPR_FLOAT)
            memcpy(&x, &words[i], sizeof x);
        to[n] = x;
        place[n] = (uint32_t)(d->at + i);
        out->missing += is_selected && !is_valid;
        const bool is_kept = is_selected && is_valid;
        const bool is_listed = is_kept && is_wide(v, i);
        if (is_listed)
            ok &= csv_wide_add(&d->wide, d->at + i, words[i] < 0,
                               words[i] < 0 ? -(uint64_t)words[i]
                                            : (uint64_t)words[i]);
        else
            n += is_kept;
    }
    out->n = n;
    return ok;
}

/* Does the same row by row, for a batch that formula_batch refused. */
static bool append_rows(struct decoder *d, size_t formula, struct column *out)
{
    const struct mask *mask = formula_mask(d);
    struct expr_value value;
    struct error e;
    for (size_t i = d->at; i < d->at + d->n; i++) {
        if (mask && !mask->selected[i])
            continue;
        bool ok = formula_row(d, formula, i, &value, &e);
        if (ok && !append(d, &value, i, out))
            ok = error_memory(&e);
        if (!ok) {
            formula_failed(d, i, &e);
            return false;
        }
    }
    return true;
}

/* Lists the rows of the values so far, which have no gaps: a gap follows. */
static void list_all(struct decoder *d, struct column *out)
{
    uint32_t *place = d->place_room.at;
    for (size_t i = 0; !out->rows && i < out->n; i++)
        place[i] = (uint32_t)i;
    out->rows = place;
}

static bool is_any_selected(const struct decoder *d)
{
    return !d->has_mask || memchr(d->mask.selected + d->at, 1, d->n);
}

static bool compute_batch(struct decoder *d, size_t formula, struct column *out)
{
    struct expr_vector v;
    struct error e;
    if (!is_any_selected(d))
        return true;
    const bool fits = formula_batch(d, formula, &v);
    if (fits && !d->has_mask && !v.has_missing && v.type == EXPR_FLOAT &&
        !out->rows && out->n == d->at) {
        memcpy((double *)d->value_room.at + out->n, v.values,
               d->n * sizeof(double));
        out->n += d->n;
        return true;
    }
    list_all(d, out);
    if (!fits)
        return append_rows(d, formula, out);
    if (append_batch(d, &v, out))
        return true;
    error_memory(&e);
    formula_failed(d, d->at, &e);
    return false;
}

void formula_compute(struct decoder *d, size_t formula, struct column *out)
{
    struct error e;
    *out = (struct column){.dtype = FORMULA_DTYPE};
    d->wide.n = 0;
    d->pass++;
    if (!csv_have_room(&d->value_room, (d->rows + 1) * sizeof(double), &e) ||
        !csv_have_room(&d->place_room, (d->rows + 1) * sizeof(uint32_t), &e)) {
        formula_failed(d, 0, &e);
        return;
    }
    out->values = d->value_room.at;
    d->picked = 0;
    for (size_t at = 0; at < d->rows; at += VECTOR_ROWS) {
        formula_begin(d, at);
        if (!compute_batch(d, formula, out))
            break;
        d->picked += d->has_mask ? picked_of_batch(d) : 0;
    }
    out->rows = out->n == d->rows ? NULL : d->place_room.at;
    out->wide = d->wide.at;
    out->wides = d->wide.n;
}
