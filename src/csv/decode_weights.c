/* SPDX-License-Identifier: MIT */
/* Checks a column of weights: each must be finite and not negative. */
#include <string.h>

#include "csv/decode_parts.h"

/* Whether value i of the column is a finite number, 0 or more. */
static bool is_weight(const struct column *c, size_t i)
{
    const char *at = (const char *)c->values + i * dtype_info(c->dtype)->size;
    const double x = dtype_to_double(c->dtype, dtype_load(c->dtype, at));
    return x >= 0 && x - x == 0;
}

/* Whether all values are weights: a fast check of f64. False for other dtypes,
 * of which each value is then checked by is_weight. */
static bool are_weights(const struct column *c)
{
    bool all = c->dtype == DTYPE_f64;
    for (size_t i = 0; all && i < c->n; i += 64) {
        const size_t n = c->n - i < 64 ? c->n - i : 64;
        double x[64];
        memcpy(x, (const double *)c->values + i, n * sizeof x[0]);
        for (size_t k = 0; k < n; k++)
            all &= (x[k] >= 0) & (x[k] - x[k] == 0);
    }
    return all;
}

void csv_decoder_check_weights(struct csv_decoder *d,
                               const struct csv_cells *cells, long field,
                               const struct column *c)
{
    size_t bad = SIZE_MAX;
    if (!are_weights(c)) {
        for (size_t i = 0; i < c->n && bad == SIZE_MAX; i++) {
            if (!is_weight(c, i))
                bad = c->rows ? c->rows[i] : i;
        }
    }
    for (size_t i = 0; i < c->wides; i++) {
        if (c->wide[i].negative && c->wide[i].index < bad)
            bad = c->wide[i].index;
    }
    if (bad == SIZE_MAX)
        return;
    struct csv_span cell = csv_decoder_field(d, cells, bad);
    csv_note_error(&d->first_error, csv_decoder_row(d, bad), field,
                   (size_t)(cell.at - d->text.at), CSV_CELL_NO_WEIGHT);
}
