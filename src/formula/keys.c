/* SPDX-License-Identifier: MIT */
/* Writes computed values as the texts of keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "by/key.h"
#include "formula/parts.h"
#include "output/number.h"
#include "reduce/float_format.h"

enum { SEEN = 256 /* texts that are found again; a power of two */ };

struct writer {
    enum expr_type type;
    struct csv_room *room; /* the texts, one after the other */
    size_t used;           /* bytes of it */
    /* Texts written lately, by their values: most keys have few values. */
    struct seen {
        uint64_t bits; /* of the value, as f64 */
        size_t at;     /* offset of its text in the room */
        uint32_t bytes;
    } seen[SEEN];
};

/* Makes room for one more text, whose first KEY_SHORT bytes can be read. */
static bool have_room(struct writer *w)
{
    const size_t bytes = w->used + FORMULA_KEY_MAX + KEY_SHORT;
    if (bytes <= w->room->bytes)
        return true;
    void *grown = realloc(w->room->at, 2 * bytes);
    if (!grown)
        return false;
    w->room->at = grown;
    w->room->bytes = 2 * bytes;
    return true;
}

/* Appends a value's text. Its cell has the offset in place of an address, since
 * the room may move. */
static bool put(struct writer *w, const struct value *value,
                struct text_cell *cell)
{
    char text[NUMBER_MAX];
    if (!have_room(w))
        return false;
    const bool is_plain =
        value->kind == VALUE_INTEGER || !isfinite(value->real);
    cell->bytes = (uint32_t)(is_plain ? number_text(text, value)
                                      : number_json(text, value));
    cell->at = (const char *)(uintptr_t)w->used;
    memcpy((char *)w->room->at + w->used, text, cell->bytes);
    w->used += cell->bytes;
    return true;
}

static bool put_real(struct writer *w, double x, struct text_cell *cell)
{
    const bool is_real = w->type == EXPR_FLOAT;
    x = x == 0 ? 0 : x;
    const uint64_t bits = bits_of_double(x);
    struct seen *s = &w->seen[bits * 0x9e3779b97f4a7c15u >> 56 & (SEEN - 1)];
    if (s->bytes > 0 && s->bits == bits) {
        cell->at = (const char *)(uintptr_t)s->at;
        cell->bytes = s->bytes;
        return true;
    }
    const struct value value = is_real
                                   ? value_real(x, FORMULA_DTYPE)
                                   : value_integer(x < 0, (uint64_t)fabs(x), 0);
    if (!put(w, &value, cell))
        return false;
    *s = (struct seen){bits, (uintptr_t)cell->at, cell->bytes};
    return true;
}

/* Writes all values of a column. False: no memory. */
static bool put_column(struct writer *w, const struct column *c,
                       struct text_cell *to)
{
    const double *x = c->values;
    bool ok = have_room(w);
    for (size_t i = 0; ok && i < c->n; i++)
        ok = put_real(w, x[i], &to[c->rows ? c->rows[i] : i]);
    for (size_t i = 0; ok && i < c->wides; i++) {
        const struct wide_integer *wide = &c->wide[i];
        const struct value value =
            value_integer(wide->negative, wide->magnitude, 0);
        ok = put(w, &value, &to[wide->index]);
    }
    return ok;
}

/* Refuses the first key that is missing. */
static void refuse_missing(struct decoder *d, const struct expr_source *key,
                           const struct text_cell *to)
{
    char quoted[QUOTE_MAX];
    const struct mask *mask = formula_mask(d);
    struct error e;
    size_t row = 0;
    while (row < d->rows &&
           (to[row].bytes > 0 || (mask && !mask->selected[row])))
        row++;
    if (row == d->rows)
        return;
    error_set(&e, ERROR_DATA,
              "missing value of the key %s; without --missing error, missing "
              "keys are a group",
              quote_bytes(quoted, key->text, key->bytes));
    formula_failed(d, row, &e);
}

void formula_keys(struct decoder *d, size_t formula, size_t key,
                  struct text_cell *to)
{
    struct writer w = {.type = d->formulas->expr[formula].type,
                       .room = &d->key_room[key]};
    struct column c;
    struct error e;
    formula_compute(d, formula, &c);
    for (size_t row = 0; row < d->rows; row++)
        to[row] = (struct text_cell){NULL, 0, (uint32_t)row};
    const bool ok = put_column(&w, &c, to);
    for (size_t row = 0; row < d->rows; row++)
        to[row].at = ok ? (const char *)w.room->at + (uintptr_t)to[row].at
                        : (const char *)key_masks;
    if (!ok) {
        error_memory(&e);
        formula_failed(d, 0, &e);
    } else if (d->spec->missing_is_error)
        refuse_missing(d, &d->formulas->expr[formula].source, to);
}
