/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "data.h"

struct extent shape_extent(enum shape shape, size_t n)
{
    const size_t columns = n / LONG_ROWS, rows = n / SHORT_COLUMNS;
    switch (shape) {
    case SHAPE_LONG_ROWS:
        return (struct extent){LONG_ROWS, columns, LONG_ROWS};
    case SHAPE_SHORT_ROWS:
        return (struct extent){rows, SHORT_COLUMNS, rows};
    case SHAPE_COLUMNS:
        return (struct extent){LONG_ROWS, columns, columns};
    default:
        return (struct extent){1, n, 1};
    }
}

bool data_open(struct data *d, enum data_kind kind, size_t n)
{
    bool ok = true;
    *d = (struct data){
        .kind = kind, .n = n, .unit = kind == DATA_WHOLE ? 1 : 0x1p-31};
    for (int s = 0; s < SHAPES_END; s++) {
        d->truth[s] = calloc(shape_extent(s, n).answers, sizeof **d->truth);
        ok = ok && d->truth[s];
    }
    if (!ok)
        data_close(d);
    return ok;
}

void data_close(struct data *d)
{
    for (int s = 0; s < SHAPES_END; s++) {
        free(d->truth[s]);
        d->truth[s] = NULL;
    }
}

/* 64 bits that look random, of a number (the finaliser of splitmix64). */
static uint64_t mix(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* At most 24 bits and zeros below, so that it is an f32. */
static int64_t units_at(enum data_kind kind, uint64_t i)
{
    static const int whole[] = {-2, -1, 1, 2};
    const uint64_t bits = mix(i);
    if (kind == DATA_WHOLE)
        return whole[bits & 3];
    const int64_t significand =
        (int64_t)((bits >> 32) * (3 << 23) >> 32) - (1 << 23);
    return significand * (1 << (bits & 7));
}

static void add(struct truth *t, struct truth more)
{
    t->sum += more.sum;
    t->magnitude += more.magnitude;
}

void data_row(struct data *d, size_t row, float *to)
{
    const size_t columns = d->n / LONG_ROWS;
    struct truth *column = d->truth[SHAPE_COLUMNS];
    struct truth *short_row = d->truth[SHAPE_SHORT_ROWS];
    struct truth whole_row = {0};
    for (size_t c = 0; c < columns; c++) {
        const size_t i = row * columns + c;
        const int64_t units = units_at(d->kind, i);
        const struct truth one = {units, llabs(units)};
        add(&column[c], one);
        add(&short_row[i / SHORT_COLUMNS], one);
        add(&whole_row, one);
        to[c] = (float)units * (float)d->unit;
    }
    d->truth[SHAPE_LONG_ROWS][row] = whole_row;
    add(d->truth[SHAPE_FLAT], whole_row);
}
