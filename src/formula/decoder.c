/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "base/quote.h"
#include "format/input.h"
#include "formula/parts.h"

void formulas_count_read(struct formulas *f, bool starts)
{
    f->counts_read = starts;
    for (size_t i = 0; starts && f->read && i < f->inputs; i++)
        f->read[i].bad = f->read[i].values = 0;
}

void formulas_free(struct formulas *f)
{
    for (size_t i = 0; i < f->count; i++)
        expr_free(&f->expr[i]);
    free(f->expr);
    free(f->input);
    free(f->read);
    free(f->of_group);
    free(f->column_of);
    free(f->dtypes);
    free(f->key);
    free(f->kernel);
    *f = (struct formulas){.count = 0};
}

static void close_formulas(struct decoder *d)
{
    if (!d)
        return;
    csv_decoder_free(d->csv);
    for (size_t i = 0; d->values && i < d->formulas->inputs; i++) {
        csv_kept_free(&d->values[i].made[0].kept);
        csv_kept_free(&d->values[i].made[1].kept);
    }
    for (size_t i = 0; d->state && i < d->formulas->count; i++) {
        vectors_close(d->state[i].vectors);
        free(d->state[i].kept.at);
    }
    free(d->selected_room.at);
    free(d->row_room.at);
    free(d->rank_room.at);
    free(d->value_room.at);
    free(d->place_room.at);
    free(d->bad_room.at);
    free(d->wide.at);
    for (size_t k = 0; k < CSV_KEYS_MAX; k++)
        free(d->key_room[k].at);
    free(d->values);
    free(d->state);
    free(d);
}

static struct decoder *open_formulas(const struct decoder_options *options,
                                     struct error *e)
{
    const struct formulas *f = options->formulas;
    struct decoder *d = calloc(1, sizeof *d);
    if (!d)
        return error_memory(e);
    d->formulas = f;
    d->dtype = options->dtype;
    d->spec = options->text;
    d->index = options->index;
    d->values = calloc(f->inputs + 1, sizeof *d->values);
    d->state = calloc(f->count + 1, sizeof *d->state);
    bool ok = (d->values && d->state) || error_memory(e);
    for (size_t i = 0; ok && i < f->count; i++)
        ok = vectors_open(&d->state[i].vectors, &f->expr[i], options->portable,
                          e);
    for (size_t i = 0; ok && f->groups > 1 && i < f->inputs; i++) {
        if (f->input[i].source == FORMULA_COMPUTED)
            d->state[f->input[i].number].is_read = true;
    }
    if (ok && options->text) {
        d->csv = csv_decoder_new(options->text, options->portable, e);
        ok = d->csv;
    }
    if (ok)
        return d;
    close_formulas(d);
    return NULL;
}

/* Starts a chunk: drops the results of the last one and makes the mask. */
static bool begin(struct decoder *d, const struct chunk *chunk, uint64_t *rows,
                  struct error *e)
{
    d->chunk = chunk;
    d->failed = SIZE_MAX;
    d->has_mask = false;
    for (size_t i = 0; i < d->formulas->inputs; i++) {
        d->values[i].made[0].is_made = d->values[i].made[1].is_made = false;
        d->values[i].made[0].is_told = false;
        d->values[i].told_bad = 0;
    }
    *rows = d->rows;
    if (!formula_select(d, e))
        return false;
    if (d->formulas->packs_rows && d->has_mask)
        *rows = d->mask.count;
    return true;
}

static bool begin_records(struct decoder *d, const struct chunk *chunk,
                          uint64_t *rows, uint64_t *skipped, struct error *e)
{
    d->before += d->rows;
    d->rows = 0;
    d->text = (struct csv_text){chunk->data, chunk->bytes, chunk->line,
                                chunk->input->table, chunk->input->name};
    bool ok = csv_decode_begin(d->csv, &d->text, &d->rows, e);
    *skipped = csv_decode_skipped(d->csv);
    return ok && begin(d, chunk, rows, e);
}

static bool begin_elements(struct decoder *d, const struct chunk *chunk,
                           uint64_t *rows, uint64_t *skipped, struct error *e)
{
    d->elements = (struct column){
        .dtype = d->dtype, .n = chunk->n, .values = chunk->data};
    d->rows = chunk->n;
    *skipped = 0;
    return begin(d, chunk, rows, e);
}

/* Returns the input that has already decoded this column as numbers, or NULL if
 * there is none. */
static const struct made *made_of(const struct decoder *d, size_t column)
{
    const struct csv_table *table = d->text.table;
    if ((table->has_weight && column == table->weight) ||
        (d->spec->texts && csv_is_text_column(table, column)))
        return NULL;
    for (size_t i = 0; i < d->formulas->inputs; i++) {
        const struct formula_input *input = &d->formulas->input[i];
        if (input->source == FORMULA_CELLS && input->number == column &&
            d->values[i].made[0].is_made)
            return &d->values[i].made[0];
    }
    return NULL;
}

static void column_of_cells(struct decoder *d, size_t group, struct column *out)
{
    *out = (struct column){.dtype = d->dtype,
                           .n = d->has_mask ? d->mask.count : d->rows};
    if (d->spec->rows_only)
        return;
    const struct made *made = made_of(d, group);
    const struct csv_wanted wanted = {.column = group, .mask = formula_mask(d)};
    if (!made)
        csv_decode_wanted(d->csv, &wanted, out);
    else if (d->has_mask && !made->is_masked)
        formula_filter(d, &made->column, out);
    else
        *out = made->column;
    out->rounded = made ? 0 : out->rounded;
    for (size_t i = 0; i < d->formulas->inputs; i++) {
        if (d->formulas->input[i].source != FORMULA_CELLS ||
            d->formulas->input[i].number != group)
            continue;
        d->values[i].made[0].is_told |= !made;
        d->values[i].told_bad = out->bad;
    }
}

/* Counts the rounded values of the columns that expressions read, once a chunk
 * and in whichever group comes first. */
static void tell_rounded(struct decoder *d, struct column *out)
{
    for (size_t i = 0; i < d->formulas->inputs; i++) {
        struct made *m = &d->values[i].made[0];
        if (m->is_made && !m->is_told) {
            out->rounded += m->column.rounded;
            m->is_told = true;
        }
    }
}

/* Does that for wide integers, which may be those of d->wide. */
static void pack_wide(struct decoder *d, struct column *c)
{
    const uint32_t *rank = d->rank_room.at;
    struct error e;
    d->wide.n = 0;
    for (size_t i = 0; i < c->wides; i++) {
        const struct wide_integer w = c->wide[i];
        if (!csv_wide_add(&d->wide, rank[w.index], w.negative, w.magnitude)) {
            error_memory(&e);
            formula_failed(d, 0, &e);
            c->wides = i;
        }
    }
    c->wide = d->wide.at;
}

/* Replaces row numbers by their positions among the selected rows. */
static void pack_rows(struct decoder *d, struct column *c)
{
    const uint32_t *rank = d->rank_room.at;
    const size_t bytes = (d->rows + 1) * sizeof *rank;
    struct error e;
    if (!csv_have_room(&d->place_room, bytes, &e) ||
        !csv_have_room(&d->bad_room, bytes, &e)) {
        formula_failed(d, 0, &e);
        return;
    }
    uint32_t *place = d->place_room.at, *bad = d->bad_room.at;
    for (size_t i = 0; c->rows && i < c->n; i++)
        place[i] = rank[c->rows[i]];
    for (size_t i = 0; c->bad_rows && i < c->bad; i++)
        bad[i] = rank[c->bad_rows[i]];
    pack_wide(d, c);
    c->rows = c->rows ? place : NULL;
    c->bad_rows = c->bad_rows ? bad : NULL;
}

/* Counts the cells that expressions have read in the chunk. */
static void count_read(struct decoder *d)
{
    const struct formulas *f = d->formulas;
    for (size_t i = 0; f->read && f->counts_read && i < f->inputs; i++) {
        const struct formula_values *v = &d->values[i];
        const struct column *c = &v->made[0].column;
        if (f->input[i].source != FORMULA_CELLS || !v->made[0].is_made)
            continue;
        f->read[i].bad += c->bad - v->told_bad;
        f->read[i].values += c->n + c->wides;
    }
}

static void column(struct decoder *d, size_t group, struct column *out)
{
    const struct formulas *f = d->formulas;
    const uint8_t formula =
        group < f->groups ? f->of_group[group] : FORMULA_NONE;
    if (formula != FORMULA_NONE)
        formula_compute(d, formula, out);
    else if (d->csv)
        column_of_cells(d, f->column_of[group], out);
    else if (d->has_mask)
        formula_filter(d, &d->elements, out);
    else
        *out = d->elements;
    tell_rounded(d, out);
    if (f->packs_rows && d->has_mask)
        pack_rows(d, out);
}

/* Names the element's file, and its index there. */
static void report_element(const struct decoder *d, struct error *e)
{
    char name[QUOTE_MAX];
    const struct chunk *chunk = d->chunk;
    const uint64_t place = chunk->first + d->failed;
    size_t i = 0;
    while (i + 1 < chunk->inputs && chunk->base[i + 1] <= place)
        i++;
    const struct input *input = &chunk->input[i];
    error_set(e, ERROR_DATA, "%s: element %" PRIu64 ": %s",
              escape(name, input->name),
              formula_index(d, d->failed) - chunk->base[i] +
                  input->before / dtype_info(d->dtype)->size,
              d->error.text);
}

/* Sets the error of d->failed, with the record's place. Returns false. */
static bool report(const struct decoder *d, struct error *e)
{
    char name[QUOTE_MAX];
    if (d->error.kind != ERROR_DATA)
        *e = d->error;
    else if (d->csv)
        error_set(e, ERROR_DATA, "%s:%" PRIu64 ": %s",
                  escape(name, d->text.name),
                  csv_decode_line(d->csv, d->failed), d->error.text);
    else
        report_element(d, e);
    return false;
}

static void keys(struct decoder *d, size_t key, struct text_cell *to)
{
    const struct formulas *f = d->formulas;
    const struct formula_key of_table = {FORMULA_NONE, key};
    const struct formula_key which = f->keys > 0 ? f->key[key] : of_table;
    if (which.formula != FORMULA_NONE)
        formula_keys(d, which.formula, key, to);
    else
        csv_decode_keys(d->csv, d->text.table->key_of[which.of_table], key,
                        formula_mask(d), to);
}

static bool end(struct decoder *d, struct error *e)
{
    if (d->failed != SIZE_MAX &&
        (!d->csv || d->failed < csv_decode_failed(d->csv)))
        return report(d, e);
    count_read(d);
    return !d->csv || csv_decode_end(d->csv, e);
}

static const struct mask *mask(const struct decoder *d)
{
    return formula_mask(d);
}

const struct decoder_kind decoder_formulas_of_records = {
    STAGE_DECODE, open_formulas, close_formulas, begin_records, column, keys,
    end,          mask};

const struct decoder_kind decoder_formulas_of_elements = {
    STAGE_REDUCE, open_formulas, close_formulas, begin_elements, column, NULL,
    end,          mask};
