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
        d->expected[s] =
            calloc(shape_extent(s, n).answers, sizeof **d->expected);
        ok = ok && d->expected[s];
    }
    if (!ok)
        data_close(d);
    return ok;
}

void data_close(struct data *d)
{
    for (int s = 0; s < SHAPES_END; s++) {
        free(d->expected[s]);
        d->expected[s] = NULL;
    }
}

/* Hashes x to 64 random-looking bits (the finaliser of splitmix64). */
static uint64_t mix(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Element i in units. Its low bits are zeros below at most 24 bits, so it is
 * exact in f32. */
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

static void add(struct exact_sum *t, struct exact_sum more)
{
    t->sum += more.sum;
    t->magnitude += more.magnitude;
}

void data_row(struct data *d, size_t row, float *to)
{
    const size_t columns = d->n / LONG_ROWS;
    struct exact_sum *column = d->expected[SHAPE_COLUMNS];
    struct exact_sum *short_row = d->expected[SHAPE_SHORT_ROWS];
    struct exact_sum whole_row = {0};
    for (size_t c = 0; c < columns; c++) {
        const size_t i = row * columns + c;
        const int64_t units = units_at(d->kind, i);
        const struct exact_sum one = {units, llabs(units)};
        add(&column[c], one);
        add(&short_row[i / SHORT_COLUMNS], one);
        add(&whole_row, one);
        to[c] = (float)units * (float)d->unit;
    }
    d->expected[SHAPE_LONG_ROWS][row] = whole_row;
    add(d->expected[SHAPE_FLAT], whole_row);
}
