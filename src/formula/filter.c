/* SPDX-License-Identifier: MIT */
/* Copies the selected rows of a column that was decoded for all rows. */
#include <string.h>

#include "formula/parts.h"

/* Copies the values of the selected rows; `storage` is as wide as a value. */
#define GATHER(storage)                      \
    for (size_t i = 0; i < mask->count; i++) \
        memcpy(to + i * sizeof(storage),     \
               from + mask->row[i] * sizeof(storage), sizeof(storage));
static void gather(const struct mask *mask, size_t size, const char *from,
                   char *to)
{
    if (size == sizeof(double)) {
        GATHER(double)
    } else if (size == sizeof(float)) {
        GATHER(float)
    } else if (size == sizeof(short)) {
        GATHER(short)
    } else {
        GATHER(char)
    }
}

static size_t filter_values(struct decoder *d, const struct column *from)
{
    const size_t size = dtype_info(from->dtype)->size;
    char *to = d->value_room.at;
    uint32_t *place = d->place_room.at;
    size_t n = 0;
    for (size_t i = 0; i < from->n; i++) {
        const uint32_t row = from->rows[i];
        memcpy(to + n * size, (const char *)from->values + i * size, size);
        place[n] = row;
        n += d->mask.selected[row];
    }
    return n;
}

static void filter_others(struct decoder *d, const struct column *from,
                          struct column *out)
{
    uint32_t *bad = d->bad_room.at;
    out->bad = 0;
    for (size_t i = 0; from->bad_rows && i < from->bad; i++) {
        bad[out->bad] = from->bad_rows[i];
        out->bad += d->mask.selected[from->bad_rows[i]];
    }
    out->bad_rows = from->bad_rows ? bad : NULL;
    d->wide.n = 0;
    for (size_t i = 0; i < from->wides; i++) {
        const struct wide_integer *w = &from->wide[i];
        struct error e;
        if (d->mask.selected[w->index] &&
            !csv_wide_add(&d->wide, w->index, w->negative, w->magnitude)) {
            error_memory(&e);
            formula_failed(d, 0, &e);
        }
    }
    out->wide = d->wide.at;
    out->wides = d->wide.n;
}

void formula_filter(struct decoder *d, const struct column *from,
                    struct column *out)
{
    const size_t size = dtype_info(from->dtype)->size;
    struct error e;
    *out = *from;
    out->n = 0;
    if (!csv_have_room(&d->value_room, (d->rows + 1) * 8, &e) ||
        !csv_have_room(&d->place_room, (d->rows + 1) * sizeof(uint32_t), &e) ||
        !csv_have_room(&d->bad_room, (d->rows + 1) * sizeof(uint32_t), &e)) {
        formula_failed(d, 0, &e);
        return;
    }
    out->values = d->value_room.at;
    out->rows = d->mask.row;
    out->n = d->mask.count;
    if (from->rows || from->n < d->rows) {
        out->n = from->rows ? filter_values(d, from) : 0;
        out->rows = d->place_room.at;
    } else {
        gather(&d->mask, size, from->values, d->value_room.at);
    }
    filter_others(d, from, out);
    out->missing = d->mask.count - out->n - out->bad - out->wides;
}
