/* SPDX-License-Identifier: MIT */
#include "by_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *memory(size_t n, size_t size)
{
    void *at = calloc(n, size);
    if (!at)
        abort();
    return at;
}

void by_data_open(struct by_case *b, enum dtype dtype, unsigned keys,
                  unsigned rows)
{
    *b = (struct by_case){.dtype = dtype, .keys = keys};
    b->set = (struct gpu_by_set){true, true, true, dtype == DTYPE_f64};
    b->pitch = (rows + 31) / 32 * 32;
    const size_t cells = BY_COLUMNS * b->pitch;
    b->key = memory(b->pitch, sizeof *b->key);
    b->value = memory(cells, sizeof(uint64_t));
    b->used = memory(cells / 32, sizeof *b->used);
    b->odd = memory(cells, sizeof *b->odd);
    b->rows = memory(keys, sizeof *b->rows);
    b->first = memory(keys, sizeof *b->first);
    b->want = memory(keys * (size_t)BY_COLUMNS, sizeof *b->want);
    memset(b->first, 0xff, keys * sizeof *b->first);
    for (size_t i = 0; i < keys * (size_t)BY_COLUMNS; i++)
        b->want[i].extreme[0].position = b->want[i].extreme[1].position =
            UINT64_MAX;
}

void by_data_close(struct by_case *b)
{
    free(b->key);
    free(b->value);
    free(b->used);
    free(b->odd);
    free(b->rows);
    free(b->first);
    free(b->want);
}

/* Draws a float of any size, or one of a few common values. */
static double draw_real(struct random *r)
{
    static const double some[] = {
        0,   -0.0,     1,      -1,      0.25,    1e300,   -1e-300,
        NAN, INFINITY, 0x1p52, -0x1p52, 0x1p-22, 0x1p-23, 4503599627370495.5};
    const int64_t cents = (int64_t)random_below(r, 200001) - 100000;
    switch (random_below(r, 8)) {
    case 0:
        return some[random_below(r, sizeof some / sizeof some[0])];
    case 1:
        return ldexp(random_unit(r) - 0.5, (int)random_below(r, 80) - 26);
    case 2:
        return (double)random_below(r, 3);
    default:
        return (double)cents / 100;
    }
}

/* Bits of an element, with zeros above. */
static uint64_t draw(enum dtype dtype, struct random *r)
{
    const unsigned size = dtype_size(dtype);
    if (dtype == DTYPE_f64)
        return bits_of_double(draw_real(r));
    if (dtype == DTYPE_f32) {
        const float x = (float)draw_real(r);
        uint32_t bits;
        memcpy(&bits, &x, sizeof bits);
        return bits;
    }
    const uint64_t bits =
        random_below(r, 4) ? random_next(r) : random_next(r) % 3 - 1;
    return size == 8 ? bits : bits & ((1ull << 8 * size) - 1);
}

/* The value of an element: of floats, and of integers. */
static double real_of(const struct by_case *b, uint64_t bits)
{
    float x;
    const uint32_t low = (uint32_t)bits;
    memcpy(&x, &low, sizeof x);
    return b->dtype == DTYPE_f32 ? (double)x : double_of_bits(bits);
}

static __int128 whole_of(const struct by_case *b, uint64_t bits)
{
    const unsigned width = 8 * dtype_size(b->dtype);
    const bool is_negative =
        dtype_class(b->dtype) == 'i' && bits >> (width - 1) & 1;
    return (__int128)bits - (is_negative ? (__int128)1 << width : 0);
}

static bool is_odd(double x)
{
    return !(x == 0 ? !signbit(x) : fabs(x) >= 0x1p-22 && fabs(x) < 0x1p52);
}

/* x * 2^74, which is whole. */
static __int128 fixed_of(double x)
{
    int exponent;
    const __int128 mantissa = (__int128)ldexp(frexp(x, &exponent), 53);
    return x == 0 ? 0 : mantissa * ((__int128)1 << (exponent - 53 + 74));
}

/* Adds the square of a fixed-point number by long multiplication. */
static void add_square(uint64_t square[GPU_BY_SQUARE_LIMBS], __int128 x)
{
    const unsigned __int128 m = (unsigned __int128)(x < 0 ? -x : x);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            const uint64_t product =
                (uint64_t)(uint32_t)(m >> 32 * i) * (uint32_t)(m >> 32 * k);
            square[i + k] += (uint32_t)product;
            square[i + k + 1] += product >> 32;
        }
    }
}

static void add_extreme(struct by_extreme *e, bool is_better, uint64_t bits,
                        uint64_t position)
{
    if (e->position == UINT64_MAX || is_better)
        *e = (struct by_extreme){bits, position};
}

/* Adds a value that is not odd. Positions of rows ascend. */
static void add(const struct by_case *b, struct by_want *w, uint64_t bits,
                uint64_t position)
{
    const bool is_float = dtype_is_float(b->dtype);
    const __int128 value =
        is_float ? fixed_of(real_of(b, bits)) : whole_of(b, bits);
    struct by_extreme *e = w->extreme;
    const __int128 least =
        is_float ? fixed_of(real_of(b, e[0].bits)) : whole_of(b, e[0].bits);
    const __int128 most =
        is_float ? fixed_of(real_of(b, e[1].bits)) : whole_of(b, e[1].bits);
    if (b->set.squares)
        add_square(w->square, value);
    w->zeros += value == 0;
    w->low += (uint64_t)value;
    w->high += (value - (__int128)(uint64_t)value) / ((__int128)1 << 64);
    add_extreme(&e[0], value < least, bits, position);
    add_extreme(&e[1], value > most, bits, position);
}

static void fill_cell(struct by_case *b, unsigned column, unsigned row,
                      uint64_t position, struct random *random)
{
    const size_t at = column * b->pitch + row, size = dtype_size(b->dtype);
    const bool used = random_below(random, 16) > 0;
    const uint64_t bits = draw(b->dtype, random);
    struct by_want *w = &b->want[b->key[row] * (size_t)BY_COLUMNS + column];
    uint32_t *word = &b->used[column * (b->pitch / 32) + row / 32];
    memcpy(b->value + at * size, &bits, size);
    *word = (*word & ~(1u << row % 32)) | (uint32_t)used << row % 32;
    b->odd[at] = used && dtype_is_float(b->dtype) && is_odd(real_of(b, bits));
    if (used && !b->odd[at])
        add(b, w, bits, position);
    else
        w->absent++;
}

void by_data_fill(struct by_case *b, unsigned rows, uint64_t first,
                  struct random *random)
{
    b->n = rows;
    for (unsigned row = 0; row < rows; row++) {
        /* Half of the rows have one of few keys. */
        const uint64_t few = random_below(random, 2) ? 3 : b->keys;
        const uint32_t key =
            (uint32_t)random_below(random, few < b->keys ? few : b->keys);
        b->key[row] = key;
        b->rows[key]++;
        if (first + row < b->first[key])
            b->first[key] = first + row;
        for (unsigned c = 0; c < BY_COLUMNS; c++)
            fill_cell(b, c, row, first + row, random);
    }
}

bool by_data_take_odd(struct by_case *b, unsigned column, uint32_t row,
                      const void *value)
{
    const size_t at = column * b->pitch + row, size = dtype_size(b->dtype);
    const bool ok = row < b->n && b->odd[at] &&
                    memcmp(b->value + at * size, value, size) == 0;
    b->odd[at] &= !ok;
    return ok;
}

size_t by_data_odds(const struct by_case *b, unsigned column)
{
    size_t n = 0;
    for (unsigned row = 0; row < b->n; row++)
        n += b->odd[column * b->pitch + row];
    return n;
}
