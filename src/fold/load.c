/* SPDX-License-Identifier: MIT */
/* Loads the values of a column, one for each row. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "expr/words.h"
#include "fold/parts.h"
#include "reduce/float_format.h"

void fold_values_free(struct fold_values *v)
{
    free(v->words);
    free(v->odd);
    *v = (struct fold_values){.n = 0};
}

static bool have_room(struct fold_values *v, size_t n, struct error *e)
{
    if (n <= v->room)
        return true;
    free(v->words);
    v->words = malloc(n * sizeof *v->words);
    v->room = v->words ? n : 0;
    return v->words || error_memory(e);
}

static bool add_odd(struct fold_values *v, size_t at,
                    const struct expr_value *value, struct error *e)
{
    if (!array_grow(&v->odd, &v->odd_room, v->odds, sizeof *v->odd))
        return error_memory(e);
    v->odd[v->odds++] = (struct fold_odd){at, *value};
    return true;
}

/* Stores a value in its place. */
static bool put(const struct fold *fold, struct fold_values *v, size_t at,
                struct expr_value value, struct error *e)
{
    struct expr_value converted = value;
    bool fits = expr_convert(&converted, fold->type);
    const int64_t word = fits ? fold_word(&converted, &fits) : 0;
    v->words[at] = word;
    return fits || add_odd(v, at, &value, e);
}

/* The index of the column's first value in row `row` or later. */
static size_t first_from(const struct column *c, size_t row)
{
    size_t low = 0, high = c->n;
    while (c->rows && low < high) {
        const size_t middle = low + (high - low) / 2;
        const bool is_before = c->rows[middle] < row;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return c->rows ? low : row < c->n ? row : c->n;
}

/* Converts n values from `first` on to words of the elements' type. Computed
 * integers come as floats. */
static bool make_words(const struct fold *fold, const struct column *c,
                       size_t first, size_t n, int64_t *words)
{
    const bool are_floats = dtype_is_float(c->dtype);
    const bool ok = expr_words(
        c->dtype, are_floats ? EXPR_FLOAT : fold->element,
        (const char *)c->values + first * dtype_info(c->dtype)->size, n, words);
    for (size_t i = 0; are_floats && fold->element != EXPR_FLOAT && i < n;
         i++) {
        words[i] = (int64_t)double_of_bits((uint64_t)words[i]);
    }
    return ok;
}

/* Converts words from integers to the fold's floats. False if one is inexact.
 */
static bool make_floats(int64_t *words, size_t n)
{
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        const double x = (double)words[i];
        ok &= words[i] <= 1ll << 53 && words[i] >= -(1ll << 53);
        memcpy(&words[i], &x, sizeof x);
    }
    return ok;
}

static bool has_wide(const struct column *c, size_t at, size_t n)
{
    bool has = false;
    for (size_t i = 0; i < c->wides; i++)
        has |= c->wide[i].index >= at && c->wide[i].index - at < n;
    return has;
}

/* Stores n integers, some of which do not fit their words: elements of raw data
 * or whole numbers of text. */
static bool put_integers(const struct fold *fold, const struct column *c,
                         size_t at, size_t first, size_t n,
                         struct fold_values *v, struct error *e)
{
    const size_t size = dtype_info(c->dtype)->size;
    for (size_t i = 0; i < n; i++) {
        const uint64_t bits =
            dtype_load(c->dtype, (const char *)c->values + (first + i) * size);
        const size_t row = c->rows ? c->rows[first + i] - at : i;
        struct expr_value value = {.type = EXPR_INTEGER};
        value.integer =
            dtype_is_signed(c->dtype) ? (__int128)(int64_t)bits : bits;
        if (!put(fold, v, row, value, e))
            return false;
    }
    return true;
}

/* Moves k words from the front to their rows; the others get the identity. */
static bool spread(const struct fold *fold, const struct column *c, size_t at,
                   size_t first, size_t k, struct fold_values *v,
                   struct error *e)
{
    bool fits;
    const int64_t identity = fold_word(&fold->identity, &fits);
    for (size_t row = v->n; row-- > 0;) {
        const bool has =
            k > 0 && (c->rows ? c->rows[first + k - 1] - at : k - 1) == row;
        v->words[row] = has ? v->words[--k] : identity;
        if (!has && !fits && !add_odd(v, row, &fold->identity, e))
            return false;
    }
    return true;
}

static bool put_wide(const struct fold *fold, const struct column *c, size_t at,
                     struct fold_values *v, struct error *e)
{
    for (size_t i = 0; i < c->wides; i++) {
        const struct wide_integer *w = &c->wide[i];
        struct expr_value value = {.type = EXPR_INTEGER};
        if (w->index < at || w->index - at >= v->n)
            continue;
        value.integer = w->negative ? -(__int128)w->magnitude : w->magnitude;
        if (!put(fold, v, w->index - at, value, e))
            return false;
    }
    return true;
}

static void drop_nan(const struct fold *fold, int64_t *words, size_t n)
{
    bool fits;
    const int64_t identity = fold_word(&fold->identity, &fits);
    for (size_t i = 0; i < n; i++) {
        const double x = double_of_bits((uint64_t)words[i]);
        words[i] = x != x ? identity : words[i];
    }
}

bool fold_load(const struct fold *fold, const struct column *c, size_t at,
               size_t n, struct fold_values *v, struct error *e)
{
    const size_t first = first_from(c, at);
    const size_t k = c->values ? first_from(c, at + n) - first : 0;
    if (!have_room(v, n + 1, e))
        return false;
    v->n = n;
    v->odds = 0;
    bool fits = k == 0 || make_words(fold, c, first, k, v->words);
    if (fold->type == EXPR_FLOAT && fold->element != EXPR_FLOAT && k > 0)
        fits &= make_floats(v->words, k);
    if (fold->skips_nan && fold->type == EXPR_FLOAT)
        drop_nan(fold, v->words, k);
    if (k < n && !spread(fold, c, at, first, k, v, e))
        return false;
    if (!fits && !put_integers(fold, c, at, first, k, v, e))
        return false;
    return !has_wide(c, at, n) || put_wide(fold, c, at, v, e);
}
