/* SPDX-License-Identifier: MIT */
/* Keeps the columns of a chunk, row by row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "reduce/cpu/pairs_parts.h"

struct pairs *pairs_open(const struct pairs_options *options, struct error *e)
{
    struct pairs *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);
    struct kept *column = calloc(options->columns + 1, sizeof *column);
    if (!p || !column) {
        free(p);
        free(column);
        error_memory(e);
        return NULL;
    }
    p->set = options->set;
    p->loops = options->portable ? &cpu_loops_base : cpu_loops(0);
    p->columns = options->columns;
    p->rows = p->stride = 0;
    p->column = column;
    p->values = NULL;
    p->marks = NULL;
    for (int i = 0; i < ACCUMULATORS; i++) {
        enum monoid m = i < ALONE ? pair_sums[i].alone : MONOID_sum;
        if (pairs_has(p, pair_target[i]))
            accumulator_init(&p->accumulator[i], m, DTYPE_f64);
    }
    return p;
}

/* Frees the sums of single columns. */
static void drop_sums(struct pairs *p)
{
    for (size_t c = 0; c < p->columns; c++) {
        for (int i = 0; i < 2; i++) {
            if (p->column[c].is_made[i])
                exact_close(&p->column[c].sum[i].exact);
            p->column[c].is_made[i] = false;
        }
    }
}

void pairs_close(struct pairs *p)
{
    if (!p)
        return;
    drop_sums(p);
    for (size_t c = 0; c < p->columns; c++)
        free(p->column[c].wide);
    free(p->column);
    free(p->values);
    free(p->marks);
    free(p);
}

bool pairs_begin(struct pairs *p, size_t rows, struct error *e)
{
    drop_sums(p);
    p->rows = rows;
    if (rows + ROOM > p->stride || !p->values) {
        free(p->values);
        free(p->marks);
        p->stride = rows + rows / 4 + ROOM;
        p->values = malloc(p->columns * p->stride * sizeof *p->values + 1);
        p->marks = malloc(p->columns * p->stride + 1);
    }
    for (size_t c = 0; c < p->columns && p->values && p->marks; c++) {
        p->column[c].value = p->values + c * p->stride;
        p->column[c].mark = p->marks + c * p->stride;
    }
    return (p->values && p->marks) || error_memory(e);
}

static bool add_wide(struct kept *k, struct wide_integer w)
{
    if (!array_grow(&k->wide, &k->wide_room, k->wides, sizeof w))
        return false;
    k->mark[w.index] = MARK_WIDE;
    k->value[w.index] = 0;
    k->wide[k->wides++] = w;
    return true;
}

/* Sets a row to an element that is not an f64. */
static bool set_element(struct kept *k, size_t row, enum dtype dtype,
                        const void *at)
{
    const uint64_t bits = dtype_load(dtype, at);
    const bool negative = dtype_is_signed(dtype) && bits >> 63;
    const uint64_t magnitude = negative ? 0 - bits : bits;
    k->mark[row] = 0;
    k->value[row] = dtype_to_double(dtype, bits);
    if (dtype_is_float(dtype) || dtype_info(dtype)->size < 8 ||
        magnitude <= 1ull << 53)
        return true;
    return add_wide(k, (struct wide_integer){magnitude, row, negative});
}

/* Sets the rows to which the column has a value. */
static bool set_values(struct kept *k, const struct column *c)
{
    const size_t size = dtype_info(c->dtype)->size;
    const char *p = c->values;
    bool ok = true;
    if (c->n == 0)
        return true;
    if (c->dtype == DTYPE_f64 && !c->rows) {
        memcpy(k->value, p, c->n * sizeof *k->value);
        memset(k->mark, 0, c->n);
        return true;
    }
    for (size_t i = 0; ok && i < c->n; i++) {
        const size_t row = c->rows ? c->rows[i] : i;
        if (c->dtype == DTYPE_f64) {
            memcpy(&k->value[row], p + i * size, size);
            k->mark[row] = 0;
        } else {
            ok = set_element(k, row, c->dtype, p + i * size);
        }
    }
    return ok;
}

/* Marks NaN and Inf. Returns whether there are any. */
static bool mark_specials(struct kept *k, size_t rows)
{
    bool all = true;
    for (size_t r = 0; r < rows; r++)
        all &= fabs(k->value[r]) <= 0x1.fffffffffffffp1023;
    for (size_t r = 0; !all && r < rows; r++) {
        if (!isfinite(k->value[r]))
            k->mark[r] = isnan(k->value[r]) ? MARK_NAN : MARK_INF;
    }
    return !all;
}

bool pairs_keep(struct pairs *p, size_t number, const struct column *column,
                struct error *e)
{
    struct kept *k = &p->column[number];
    bool ok;
    k->wides = 0;
    memset(k->value + p->rows, 0, ROOM * sizeof *k->value);
    if (column->n < p->rows) {
        memset(k->mark, MARK_MISSING, p->rows);
        memset(k->value, 0, p->rows * sizeof *k->value);
        for (size_t i = 0; column->bad_rows && i < column->bad; i++)
            k->mark[column->bad_rows[i]] = MARK_BAD;
    }
    ok = set_values(k, column);
    for (size_t i = 0; ok && i < column->wides; i++)
        ok = add_wide(k, column->wide[i]);
    k->is_marked =
        mark_specials(k, p->rows) || column->n < p->rows || k->wides > 0;
    return ok || error_memory(e);
}
