/* SPDX-License-Identifier: MIT */
/* Parses a column's plain numbers, cell after cell; stops at any other cell. */
#pragma once

#include "csv/cell/words.h"
#include "csv/simd/loops.h"
#include "csv/number/number_fast.h"
#include "reduce/cpu/vector.h"

/* The dtypes that text is read as: all but the 16-bit floats. */
#define PARSED(X)        \
    X(f32, , , uint32_t) \
    X(f64, , , uint64_t) \
    X(i8, , , uint8_t)   \
    X(i16, , , uint16_t) \
    X(i32, , , uint32_t) \
    X(i64, , , uint64_t) \
    X(u8, , , uint8_t)   \
    X(u16, , , uint16_t) \
    X(u32, , , uint32_t) \
    X(u64, , , uint64_t)

/* What a loop knows of a cell: a number; a missing value, to be passed over; or
 * something else, at which the loop stops. */
enum cell_found { CELL_NUMBER, CELL_PASSED, CELL_OTHER };

/* Whether this loop reads quoted and missing cells, which batches read in the
 * sets that have them. */
#if defined(__AVX2__) || defined(LOOPS_NEON)
enum { CELLS_ALONE = false };
#else
enum { CELLS_ALONE = true };
#endif

/* Parses a cell so near to the start of the text that the bytes before it,
 * which the fast path reads, are not all readable. */
static bool parse_slowly(enum dtype dtype, const char *p, size_t length,
                         const struct powers *powers, uint64_t *bits)
{
    if (length - 1 >= NUMBER_QUICK_LENGTH ||
        (dtype == DTYPE_f64 && length >= NUMBER_WIDE_DIGITS &&
         number_is_integer(p, p + length)))
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

/* Parses a cell that parse_cell has not parsed. */
static __attribute__((noinline)) enum cell_found
parse_rest(enum dtype dtype, const struct csv_cells *c, size_t start,
           size_t length, uint64_t *bits)
{
    const char *p = c->text + start;
    if (CELLS_ALONE && c->pass && length == 0)
        return CELL_PASSED;
    if (start < NUMBER_QUICK_LENGTH &&
        parse_slowly(dtype, p, length, c->powers, bits))
        return CELL_NUMBER;
    return CELLS_ALONE && c->pass && csv_words_have(c->pass, p, length)
               ? CELL_PASSED
               : CELL_OTHER;
}

/* Leaves out the quotes around a cell. An absent field of a padded record has
 * length -1. */
ALWAYS_INLINE void cell_unquote(const struct csv_cells *c, size_t *start,
                                size_t *length)
{
    const char *p = c->text + *start;
    if (CELLS_ALONE && c->quotes && *p == '"' && (ptrdiff_t)*length >= 2 &&
        p[*length - 1] == '"') {
        *start += 1;
        *length -= 2;
    }
}

/* Local copies and restrict tell the compiler that storing values and rows does
 * not change the cells' description, which it would otherwise load again for
 * every cell. */
#define PARSE(dtype, long_name, class, storage)                               \
    static size_t parse_##dtype(const struct csv_cells *cells, size_t from,   \
                                void *values, uint32_t *rows_of, size_t *n)   \
    {                                                                         \
        const struct csv_cells c = *cells;                                    \
        const uint32_t *end = c.ends + from * c.fields + c.field;             \
        storage *restrict to = (storage *)values;                             \
        uint32_t *restrict row = rows_of;                                     \
        size_t done = *n;                                                     \
        bool is_last = c.field + 1 == c.fields;                               \
        size_t start = from < c.rows && from + c.field > 0 ? end[-1] + 1 : 0; \
        size_t r = from;                                                      \
        while (r < c.rows) {                                                  \
            size_t length = *end - start;                                     \
            uint64_t bits = 0;                                                \
            enum cell_found found = CELL_NUMBER;                              \
            if (is_last && length > 0 && c.text[*end - 1] == '\r')            \
                length--;                                                     \
            cell_unquote(&c, &start, &length);                                \
            if (__builtin_expect(start < NUMBER_QUICK_LENGTH, 0) ||           \
                !parse_cell(DTYPE_##dtype, c.text + start, length, c.powers,  \
                            &bits)) {                                         \
                uint64_t rest = 0;                                            \
                found =                                                       \
                    parse_rest(DTYPE_##dtype, cells, start, length, &rest);   \
                bits = rest;                                                  \
            }                                                                 \
            if (found == CELL_OTHER)                                          \
                break;                                                        \
            if (found == CELL_NUMBER) {                                       \
                to[done] = (storage)bits;                                     \
                row[done++] = (uint32_t)r;                                    \
            }                                                                 \
            if (++r < c.rows) {                                               \
                end += c.fields;                                              \
                start = end[-1] + 1;                                          \
            }                                                                 \
        }                                                                     \
        *n = done;                                                            \
        return r;                                                             \
    }

PARSED(PARSE)
