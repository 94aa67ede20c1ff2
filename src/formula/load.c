/* SPDX-License-Identifier: MIT */
/* Loads the values of names: vectors for a batch, or the value of one row. */
#include <string.h>

#include "expr/words.h"
#include "formula/parts.h"

/* Decodes the column of an input, as numbers or as texts, for all rows or only
 * for the selected ones. */
static const struct column *column_of(struct decoder *d, uint32_t input,
                                      bool as_text)
{
    struct made *m = &d->values[input].made[as_text];
    if (m->is_made)
        return &m->column;
    const struct csv_wanted wanted = {.column =
                                          d->formulas->input[input].number,
                                      .as_text = as_text,
                                      .is_input = true,
                                      .mask = formula_mask(d)};
    csv_decode_wanted(d->csv, &wanted, &m->column);
    csv_decode_keep(d->csv, &m->kept);
    m->is_made = true;
    m->is_masked = wanted.mask != NULL;
    return &m->column;
}

/* The index of the column's first value in row `row` or later. */
static size_t first_from(const struct column *c, size_t row)
{
    size_t low = 0, high = c->n;
    if (!c->rows && !c->texts)
        return row < c->n ? row : c->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const size_t at = c->texts ? c->texts[middle].row : c->rows[middle];
        low = at < row ? middle + 1 : low;
        high = at < row ? high : middle;
    }
    return low;
}

static bool is_exact(const struct wide_integer *w)
{
    const double x = (double)w->magnitude;
    return x < 0x1p64 && (uint64_t)x == w->magnitude;
}

/* The index of the first wide integer in row `row` or later. */
static size_t wide_from(const struct column *c, size_t row)
{
    size_t low = 0, high = c->wides;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const bool is_before = c->wide[middle].index < row;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

/* Whether the column's values can be used in place, without a copy. */
static bool is_usable(const struct column *c, enum expr_type type,
                      const char *at)
{
    return ((type == EXPR_FLOAT && c->dtype == DTYPE_f64) ||
            (type == EXPR_INTEGER && c->dtype == DTYPE_i64)) &&
           (uintptr_t)at % sizeof(int64_t) == 0;
}

/* Moves n values from the front to their rows, the last one first. */
static void spread(struct formula_values *v, const uint32_t *rows, size_t n,
                   size_t at, size_t batch)
{
    memset(v->valid, 0, batch);
    for (size_t i = n; i-- > 0;) {
        const size_t to = rows[i] - at;
        const int64_t word = v->words[i];
        v->words[i] = 0;
        v->words[to] = word;
        v->valid[to] = 1;
    }
}

static bool load_numbers(struct decoder *d, const struct column *c,
                         struct formula_values *v, enum expr_type type,
                         struct expr_vector *out)
{
    const size_t first = first_from(c, d->at);
    const size_t n = first_from(c, d->at + d->n) - first;
    const char *at =
        (const char *)c->values + first * dtype_info(c->dtype)->size;
    *out = (struct expr_vector){type, n < d->n, v->words, v->valid};
    if (wide_from(c, d->at) < wide_from(c, d->at + d->n))
        return false;
    if (n == d->n && is_usable(c, type, at)) {
        out->values = at;
        return true;
    }
    memset(v->words + n, 0, (d->n - n) * sizeof v->words[0]);
    if (!expr_words(c->dtype, type, at, n, v->words))
        return false;
    if (n < d->n && c->rows)
        spread(v, c->rows + first, n, d->at, d->n);
    else if (n < d->n)
        memset(v->valid, 0, d->n); /* a failed column: nothing is reported */
    return true;
}

static bool load_texts(struct decoder *d, const struct column *c,
                       struct formula_values *v, struct expr_vector *out)
{
    const size_t first = first_from(c, d->at);
    const size_t n = c->texts ? first_from(c, d->at + d->n) - first : 0;
    memset(v->has_text, 0, d->n);
    for (size_t i = 0; i < d->n && n < d->n; i++)
        v->texts[i] = (struct expr_text){"", 0};
    for (size_t i = 0; i < n; i++) {
        const struct text_cell *cell = &c->texts[first + i];
        v->texts[cell->row - d->at] = (struct expr_text){cell->at, cell->bytes};
        v->has_text[cell->row - d->at] = 1;
    }
    *out = (struct expr_vector){EXPR_TEXT, n < d->n, v->texts, v->has_text};
    return true;
}

static uint64_t place_of(const struct decoder *d, size_t row)
{
    return (d->csv ? d->before : d->chunk->first) + row;
}

uint64_t formula_index(const struct decoder *d, size_t row)
{
    const uint64_t place = place_of(d, row);
    return d->index.index ? d->index.index(d->index.map, place) : place;
}

static void load_indexes(const struct decoder *d, int64_t *to)
{
    const uint64_t place = place_of(d, d->at);
    const size_t n = d->n;
    for (size_t i = 0; i < n; i++)
        to[i] = (int64_t)(place + i);
    for (size_t i = 0; d->index.index && i < n; i++)
        to[i] = (int64_t)formula_index(d, d->at + i);
}

bool formula_load(void *context, uint32_t index, enum expr_type type,
                  struct expr_vector *vector)
{
    struct decoder *d = context;
    const struct formula_input *input = &d->formulas->input[index];
    struct formula_values *v = &d->values[index];
    switch (input->source) {
    case FORMULA_CELLS:
        return type == EXPR_TEXT
                   ? load_texts(d, column_of(d, index, true), v, vector)
                   : load_numbers(d, column_of(d, index, false), v, type,
                                  vector);
    case FORMULA_ELEMENTS:
        return load_numbers(d, &d->elements, v, type, vector);
    case FORMULA_INDEX:
        load_indexes(d, v->words);
        *vector = (struct expr_vector){EXPR_INTEGER, false, v->words, NULL};
        return true;
    case FORMULA_COMPUTED:
        break;
    }
    return formula_batch(d, input->number, vector);
}

static struct expr_value number(enum dtype dtype, enum expr_type type,
                                const char *at)
{
    struct expr_value value = {.type = type};
    const uint64_t bits = dtype_load(dtype, at);
    const unsigned left = 64 - 8 * (unsigned)dtype_info(dtype)->size;
    if (type == EXPR_FLOAT)
        value.real = dtype_to_double(dtype, bits);
    else if (type == EXPR_BOOL)
        value.truth = bits != 0;
    else
        value.integer = dtype_is_signed(dtype)
                            ? (__int128)((int64_t)(bits << left) >> left)
                            : (__int128)bits;
    return value;
}

/* The value of a wide integer, which stays an integer. */
static struct expr_value wide_value(const struct wide_integer *w)
{
    struct expr_value value = {.type = EXPR_INTEGER};
    const double x = (double)w->magnitude;
    value.integer = w->negative ? -(__int128)w->magnitude : w->magnitude;
    if (!is_exact(w))
        return value;
    value.type = EXPR_FLOAT;
    value.real = w->negative ? -x : x;
    return value;
}

static struct expr_value value_in(const struct column *c, enum expr_type type,
                                  size_t row)
{
    const size_t i = first_from(c, row);
    struct expr_value value = {.type = EXPR_MISSING};
    if (type == EXPR_TEXT) {
        if (!c->texts || i == c->n || c->texts[i].row != row)
            return value;
        value.type = EXPR_TEXT;
        value.text = (struct expr_text){c->texts[i].at, c->texts[i].bytes};
        return value;
    }
    if (i < c->n && (c->rows ? c->rows[i] : i) == row)
        return number(c->dtype, type,
                      (const char *)c->values + i * dtype_info(c->dtype)->size);
    const size_t k = wide_from(c, row);
    return k < c->wides && c->wide[k].index == row ? wide_value(&c->wide[k])
                                                   : value;
}

static bool check_bool(const struct decoder *d, size_t row, struct error *e)
{
    const unsigned char x = ((const unsigned char *)d->elements.values)[row];
    return x <= 1 || error_set(e, ERROR_DATA,
                               "it is %u, but a bool is 0 or 1; of raw "
                               "data, --dtype u8 reads other values",
                               x);
}

/* Makes the values of a row on demand, so it changes the decoder although the
 * context is const. */
bool formula_read(const void *context, uint32_t index, enum expr_type type,
                  struct expr_value *value, struct error *e)
{
    struct decoder *d = *(struct decoder *const *)context;
    const struct formula_input *input = &d->formulas->input[index];
    const size_t row = d->state[d->formulas->count].row;
    switch (input->source) {
    case FORMULA_CELLS:
        *value = value_in(column_of(d, index, type == EXPR_TEXT), type, row);
        return true;
    case FORMULA_ELEMENTS:
        *value = value_in(&d->elements, type, row);
        return type != EXPR_BOOL || check_bool(d, row, e);
    case FORMULA_INDEX:
        value->type = EXPR_INTEGER;
        value->integer = formula_index(d, row);
        return true;
    case FORMULA_COMPUTED:
        break;
    }
    return formula_row(d, input->number, row, value, e);
}
