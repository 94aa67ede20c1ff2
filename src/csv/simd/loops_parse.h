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

/* Parses a cell so near to the start of the text that the bytes before it,
 * which the fast path reads, are not all readable. */
static __attribute__((noinline)) bool parse_slowly(enum dtype dtype,
                                                   const char *p, size_t length,
                                                   const struct powers *powers,
                                                   uint64_t *bits)
{
    bool is_wide = dtype == DTYPE_f64 && length >= NUMBER_WIDE_DIGITS &&
                   number_is_integer(p, p + length);
    if (length - 1 >= NUMBER_QUICK_LENGTH || is_wide)
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

/* Whether this loop reads quoted and missing cells, which batches read in the
 * sets that have them. */
#if defined(__AVX2__) || defined(LOOPS_NEON)
enum { CELLS_ALONE = false };
#else
enum { CELLS_ALONE = true };
#endif

/* Leaves out the quotes around a cell. */
ALWAYS_INLINE void cell_unquote(const struct csv_cells *c, size_t *start,
                                size_t *length)
{
    const char *p = c->text + *start;
    if (CELLS_ALONE && c->quotes && *length >= 2 && *p == '"' &&
        p[*length - 1] == '"') {
        *start += 1;
        *length -= 2;
    }
}

/* Whether to pass over a cell because it is empty. */
ALWAYS_INLINE bool cell_is_empty(const struct csv_cells *c, size_t length)
{
    return CELLS_ALONE && length == 0 && c->pass;
}

/* Whether to pass over a cell that is not a number because it is a
 * missing-value word. */
static inline bool cell_is_word(const struct csv_cells *c, size_t start,
                                size_t length)
{
    return CELLS_ALONE && c->pass &&
           csv_words_have(c->pass, c->text + start, length);
}

/* Local copies and restrict tell the compiler that storing values and rows does
 * not change the cells' description, which it would otherwise load again for
 * every cell. */
#define PARSE(dtype, long_name, class, storage)                             \
    static size_t parse_##dtype(const struct csv_cells *cells, size_t from, \
                                void *values, uint32_t *rows_of, size_t *n) \
    {                                                                       \
        const struct csv_cells c = *cells;                                  \
        const uint32_t *end = c.ends + from * c.fields + c.field;           \
        storage *restrict to = (storage *)values + *n;                      \
        uint32_t *restrict row = rows_of + *n;                              \
        bool is_last = c.field + 1 == c.fields;                             \
        size_t r = from;                                                    \
        for (; r < c.rows; r++, end += c.fields) {                          \
            size_t start = r + c.field > 0 ? end[-1] + 1 : 0;               \
            size_t length = *end - start;                                   \
            uint64_t bits = 0;                                              \
            if (is_last && length > 0 && c.text[*end - 1] == '\r')          \
                length--;                                                   \
            cell_unquote(&c, &start, &length);                              \
            if (cell_is_empty(&c, length))                                  \
                continue;                                                   \
            if (__builtin_expect(start < NUMBER_QUICK_LENGTH, 0)) {         \
                uint64_t slow = 0;                                          \
                if (!parse_slowly(DTYPE_##dtype, c.text + start, length,    \
                                  c.powers, &slow)) {                       \
                    if (cell_is_word(&c, start, length))                    \
                        continue;                                           \
                    break;                                                  \
                }                                                           \
                bits = slow;                                                \
            } else if (!parse_cell(DTYPE_##dtype, c.text + start, length,   \
                                   c.powers, &bits)) {                      \
                if (cell_is_word(&c, start, length))                        \
                    continue;                                               \
                break;                                                      \
            }                                                               \
            *to++ = (storage)bits;                                          \
            *row++ = (uint32_t)r;                                           \
        }                                                                   \
        *n = (size_t)(row - rows_of);                                       \
        return r;                                                           \
    }

PARSED(PARSE)
