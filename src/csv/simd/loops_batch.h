/* SPDX-License-Identifier: MIT */
/* As loops_parse.h, but eight cells at once where they are plain numbers. */
#pragma once

#include "csv/simd/loops_batch_cells.h"
#include "csv/simd/loops_parse.h"
#include "csv/number/number_batch_value.h"

/* Where values and their rows go. */
struct batch_out {
    char *values;
    uint32_t *rows;
    size_t n;
};

/* Takes eight values, of the rows from r on. There is room for eight, also
 * where fewer are to stay, since no row has two values. */
BATCH_INLINE void batch_take(enum dtype dtype, size_t size, __m512i x,
                             __m256i rows, struct batch_out *out)
{
    batch_store(dtype, x, out->values + out->n * size);
    _mm256_storeu_si256((void *)(out->rows + out->n), rows);
    out->n += BATCH;
}

/* Takes those that `keep` has. */
BATCH_INLINE void batch_take_some(enum dtype dtype, size_t size, __m512i x,
                                  __m256i rows, unsigned keep,
                                  struct batch_out *out)
{
    size_t n = out->n + (size_t)__builtin_popcount(keep);
    x = _mm512_maskz_compress_epi64((__mmask8)keep, x);
    rows = _mm256_maskz_compress_epi32((__mmask8)keep, rows);
    batch_take(dtype, size, x, rows, out);
    out->n = n;
}

/* What a column's cells look like: bits, but for what is no use. */
enum batch_look {
    LOOK_PLAIN = 0,
    LOOK_QUOTED = 1,
    LOOK_EXPONENT = 2,
    LOOK_OTHER = 4,
};

/* Takes the numbers of the eight cells that end at `end`, and so on, of rows
 * from r on; returns how many of the cells, from the first on, are numbers or
 * passed over. */
BATCH_INLINE unsigned batch_parse(enum dtype dtype, size_t size,
                                  enum batch_look look,
                                  const struct csv_cells *c,
                                  const uint32_t *end, size_t r,
                                  struct batch_out *out)
{
    const __m256i first = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i rows = _mm256_add_epi32(first, _mm256_set1_epi32((int)r));
    struct batch_exponents e = {(look & LOOK_EXPONENT) != 0,
                                _mm512_setzero_si512(), c->powers};
    struct batch_texts t;
    __m512i x, length;
    unsigned bad, odd = 0;
    batch_cells(&t, c, end);
    if (c->field + 1 == c->fields)
        batch_drop_cr(&t);
    if (look & LOOK_QUOTED)
        batch_drop_quotes(&t, c, end);
    length = t.length;
    if (look & LOOK_EXPONENT)
        odd = batch_cut_exponents(&t, &e.e);
    if (batch_over(&t, 8) == 0)
        x = batch_values(dtype, 8, &t, &e, &bad);
    else if (batch_over(&t, 16) == 0)
        x = batch_values(dtype, 16, &t, &e, &bad);
    else
        x = batch_values(dtype, 32, &t, &e, &bad), odd |= batch_over(&t, 32);
    bad |= odd;
    if (!NUMBER_RARE(bad != 0)) {
        batch_take(dtype, size, x, rows, out);
        return BATCH;
    }
    unsigned passed = 0;
    if (c->pass)
        passed = batch_passed(&t, length, look & LOOK_EXPONENT ? 4 : 0, c->pass,
                              bad);
    unsigned decided = (unsigned)__builtin_ctz((bad & ~passed) | 1u << BATCH);
    batch_take_some(dtype, size, x, rows, ~passed & ((1u << decided) - 1), out);
    return decided;
}

/* Batches from row r on, as long as all of a batch is decided; returns the row
 * after. */
BATCH_INLINE size_t batches(enum dtype dtype, size_t size, enum batch_look look,
                            const struct csv_cells *cells, size_t r,
                            struct batch_out *to)
{
    const struct csv_cells c = *cells;
    const uint32_t *end = c.ends + r * c.fields + c.field;
    struct batch_out out = *to;
    unsigned decided = BATCH;
    while (decided == BATCH && c.rows - r >= BATCH) {
        decided = batch_parse(dtype, size, look, &c, end, r, &out);
        r += decided;
        end += BATCH * c.fields;
    }
    to->n = out.n;
    return r;
}

/* How many cells from row `from` on are at the start of the text, before which
 * nothing may be read; at least one. */
ALWAYS_INLINE size_t batch_first(const struct csv_cells *c, size_t from)
{
    const uint32_t *end = c->ends + from * c->fields + c->field;
    size_t n = 1;
    for (; from + n < c->rows && *end < NUMBER_QUICK_LENGTH; n++)
        end += c->fields;
    return n;
}

/* Whether a batch may start with row r: what is cut off its cell, and the 32
 * bytes before that, are in the text. */
static bool batch_may_start(const struct csv_cells *c, size_t r)
{
    return r > 0 &&
           c->ends[r * c->fields + c->field] >= 8 + NUMBER_QUICK_LENGTH;
}

/* Where odd cells led to nothing some times, one in 32 is tried, by no period
 * of rows. */
static bool batch_may_try(size_t r, size_t alone)
{
    return alone < 16 || (uint32_t)r * 0x9e3779b1u >> 27 == 0;
}

/* Where the cell of row r, which is not the first, is in the text, without what
 * may be a CR of the line's end. */
static void batch_span(const struct csv_cells *c, size_t r, size_t *start,
                       size_t *end)
{
    const uint32_t *at = c->ends + r * c->fields + c->field;
    *start = at[-1] + 1;
    *end = *at;
    *end -= *end > *start && c->text[*end - 1] == '\r';
}

/* Whether such a cell may be passed over. */
static bool batch_passes(const struct csv_cells *c, size_t start, size_t end)
{
    const char *at = c->text + start;
    return c->pass &&
           (start == end || (csv_words_start(c->pass, (unsigned char)*at) &&
                             csv_words_have(c->pass, at, end - start)));
}

/* What the cell of row r looks like; is_odd: it was not read by itself: then,
 * if it is passed over, what the next one looks like. To tell those that are no
 * use is worth it: one batch of 512 bits in 16384 cells cost the quick way,
 * which has none, 5 %. */
static enum batch_look batch_look(const struct csv_cells *c, size_t r,
                                  bool is_odd)
{
    enum batch_look look = LOOK_PLAIN;
    size_t start, end;
    batch_span(c, r, &start, &end);
    bool passes = is_odd && batch_passes(c, start, end);
    if (passes && r + 1 < c->rows)
        batch_span(c, r + 1, &start, &end);
    if (is_odd && c->quotes && c->text[start] == '"') {
        look = LOOK_QUOTED;
        end--;
    } else if (is_odd && !passes) {
        return LOOK_OTHER;
    }
    return (c->text[end - 4] | 0x20) == 'e' ? look | LOOK_EXPONENT : look;
}

/* A cell by itself, then as many batches as go; where none does, a while
 * without. Cells in quotes and empty ones are not read by themselves. */
BATCH_INLINE size_t parse_batches(enum dtype dtype, size_t size,
                                  csv_parse_fn *parse_alone,
                                  const struct csv_cells *cells, size_t from,
                                  void *values, uint32_t *rows, size_t *n)
{
    struct csv_cells some = *cells;
    struct batch_out out = {values, rows, *n};
    size_t r = from, alone = batch_first(cells, from);
    if (cells->alone && *cells->alone > alone)
        alone = *cells->alone;
    bool ok = true;
    while (ok) {
        some.rows = alone < cells->rows - r ? r + alone : cells->rows;
        r = parse_alone(&some, r, values, rows, &out.n);
        if (r == cells->rows)
            break;
        bool is_odd = r < some.rows;
        size_t before = r;
        enum batch_look look = LOOK_OTHER;
        if (!batch_may_start(cells, r)) {
            ok = !is_odd;
            continue;
        }
        if (!is_odd || batch_may_try(r, alone))
            look = batch_look(cells, r, is_odd);
        if (look == LOOK_PLAIN)
            r = batches(dtype, size, LOOK_PLAIN, cells, r, &out);
        else if (look == LOOK_QUOTED)
            r = batches(dtype, size, LOOK_QUOTED, cells, r, &out);
        else if ((dtype == DTYPE_f64 || dtype == DTYPE_f32) &&
                 look != LOOK_OTHER)
            r = look & LOOK_QUOTED
                    ? batches(dtype, size, LOOK_QUOTED | LOOK_EXPONENT, cells,
                              r, &out)
                    : batches(dtype, size, LOOK_EXPONENT, cells, r, &out);
        size_t done = r - before;
        alone = done >= BATCH / 2 ? 1 : alone < 128 ? 2 * alone : alone;
        ok = !is_odd || done > 0;
    }
    if (cells->alone)
        *cells->alone = alone;
    *n = out.n;
    return r;
}

#define PARSE_BATCHES(dtype, long_name, class, storage)                       \
    static BATCH_TARGET size_t batches_##dtype(const struct csv_cells *cells, \
                                               size_t from, void *values,     \
                                               uint32_t *rows, size_t *n)     \
    {                                                                         \
        return parse_batches(DTYPE_##dtype, sizeof(storage), parse_##dtype,   \
                             cells, from, values, rows, n);                   \
    }

PARSED(PARSE_BATCHES)
