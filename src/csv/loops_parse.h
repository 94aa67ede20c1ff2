/* SPDX-License-Identifier: MIT */
/* A column's plain numbers, cell after cell; stops at what is something else. */
#pragma once

#include "csv/loops.h"
#include "csv/number_fast.h"
#include "reduce/cpu/vector.h"

/* The dtypes that text is read as: all but the 16-bit floats. */
#define PARSED(X)                                                              \
    X(f32, , , uint32_t)                                                       \
    X(f64, , , uint64_t)                                                       \
    X(i8, , , uint8_t)                                                         \
    X(i16, , , uint16_t)                                                       \
    X(i32, , , uint32_t)                                                       \
    X(i64, , , uint64_t)                                                       \
    X(u8, , , uint8_t)                                                         \
    X(u16, , , uint16_t)                                                       \
    X(u32, , , uint32_t)                                                       \
    X(u64, , , uint64_t)

/* Cells at the very start of the text, before which nothing may be read. */
ALWAYS_INLINE bool parse_slowly(enum dtype dtype, const char *p, size_t length,
                                const struct powers *powers, uint64_t *bits)
{
    if (length == 0)
        return false;
    if (dtype == DTYPE_f32 || dtype == DTYPE_f64)
        return number_float(dtype, p, p + length, powers, bits) == NUMBER_OK;
    return number_integer(dtype, p, p + length, bits) == NUMBER_OK;
}

ALWAYS_INLINE bool parse_cell(enum dtype dtype, const char *p, size_t length,
                              const struct powers *powers, uint64_t *bits)
{
    if (dtype == DTYPE_f32)
        return number_quick_f32(p, length, powers, bits);
    if (dtype == DTYPE_f64)
        return number_quick_f64(p, length, powers, bits);
    return number_quick_integer(dtype, p, length, bits);
}

#define PARSE(dtype, long_name, class, storage)                                \
    static size_t parse_##dtype(const struct csv_cells *c, size_t from,        \
                                void *values, uint32_t *rows, size_t *n)       \
    {                                                                          \
        const uint32_t *end = c->ends + from * c->fields + c->field;           \
        size_t out = *n, r = from;                                             \
        bool is_last = c->field + 1 == c->fields;                              \
        for (; r < c->rows; r++, end += c->fields) {                           \
            size_t start = r + c->field > 0 ? end[-1] + 1 : 0;                 \
            size_t length = *end - start;                                      \
            uint64_t bits;                                                     \
            if (is_last && length > 0 && c->text[*end - 1] == '\r')            \
                length--;                                                      \
            bool ok = start < NUMBER_QUICK_LENGTH                              \
                          ? parse_slowly(DTYPE_##dtype, c->text + start,       \
                                         length, c->powers, &bits)             \
                          : parse_cell(DTYPE_##dtype, c->text + start, length, \
                                       c->powers, &bits);                      \
            if (!ok)                                                           \
                break;                                                         \
            ((storage *)values)[out] = (storage)bits;                          \
            rows[out++] = (uint32_t)r;                                         \
        }                                                                      \
        *n = out;                                                              \
        return r;                                                              \
    }

PARSED(PARSE)
