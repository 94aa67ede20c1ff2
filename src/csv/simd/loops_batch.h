/* SPDX-License-Identifier: MIT */
/* Does what loops_parse.h does, but eight cells at a time where they are plain
 * numbers. */
#pragma once

#include "csv/simd/loops_batch_cells.h"
#include "csv/simd/loops_parse.h"
#include "csv/number/number_batch_value.h"

/* The values and rows written so far: n of them. */
struct batch_out {
    char *values;
    uint32_t *rows;
    size_t n;
};

/* Appends the values of rows r to r + 7. There is room for eight even where
 * fewer stay, since no row has two values. */
BATCH_INLINE void batch_append(enum dtype dtype, size_t size, batch_u64 x,
                               size_t r, struct batch_out *out)
{
    batch_store(dtype, x, out->values + out->n * size);
    batch_store_rows(out->rows + out->n, (uint32_t)r);
    out->n += BATCH;
}

/* Appends only the values whose bit is set in `keep`. */
BATCH_INLINE void batch_append_some(enum dtype dtype, size_t size, batch_u64 x,
                                    size_t r, unsigned keep,
                                    struct batch_out *out)
{
    batch_store(dtype, batch_pack(keep, x), out->values + out->n * size);
    batch_store_some_rows(out->rows + out->n, (uint32_t)r, keep);
    out->n += (size_t)__builtin_popcount(keep);
}

/* What a column's cells look like: flags that select how batches read them.
 * LOOK_OTHER: batches cannot read them. */
enum batch_look {
    LOOK_PLAIN = 0,
    LOOK_QUOTED = 1,
    LOOK_EXPONENT = 2,
    LOOK_OTHER = 4,
};

/* Parses the cells of eight rows from r on and appends their numbers; *end is
 * the end of the first cell. A cell is decided if it is a number or is passed
 * over as missing. Returns how many cells, from the first on, are decided. */
BATCH_INLINE unsigned batch_parse(enum dtype dtype, size_t size,
                                  enum batch_look look,
                                  const struct csv_cells *c,
                                  const uint32_t *end, size_t r,
                                  struct batch_out *out)
{
    struct batch_exponents e = {(look & LOOK_EXPONENT) != 0, batch_set(0),
                                c->powers};
    struct batch_texts t;
    batch_u64 x, length;
    unsigned bad, rejected = 0;
    batch_cells(&t, c, end);
    if (c->field + 1 == c->fields)
        batch_drop_cr(&t);
    if (look & LOOK_QUOTED)
        batch_drop_quotes(&t, c, end);
    length = t.length;
    if (look & LOOK_EXPONENT)
        rejected = batch_cut_exponents(&t, &e.e);
    if (batch_over(&t, 8) == 0)
        x = batch_values(dtype, 8, &t, &e, &bad);
    else if (batch_over(&t, 16) == 0)
        x = batch_values(dtype, 16, &t, &e, &bad);
    else
        x = batch_values(dtype, 32, &t, &e, &bad),
        rejected |= batch_over(&t, 32);
    bad |= rejected;
    if (!NUMBER_RARE(bad != 0)) {
        batch_append(dtype, size, x, r, out);
        return BATCH;
    }
    unsigned passed = 0;
    if (c->pass)
        passed = batch_passed(&t, length, look & LOOK_EXPONENT ? 4 : 0, c->pass,
                              bad);
    unsigned decided = (unsigned)__builtin_ctz((bad & ~passed) | 1u << BATCH);
    batch_append_some(dtype, size, x, r, ~passed & ((1u << decided) - 1), out);
    return decided;
}

/* Parses batches from row r on until a cell is not decided. Returns the first
 * row that is not decided. */
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

/* How many cells from row `from` on to parse one by one: at least one, and all
 * that are so near to the start of the text that the bytes before them, which
 * batches read, are not readable. */
ALWAYS_INLINE size_t batch_first(const struct csv_cells *c, size_t from)
{
    const uint32_t *end = c->ends + from * c->fields + c->field;
    size_t n = 1;
    for (; from + n < c->rows && *end < NUMBER_QUICK_LENGTH; n++)
        end += c->fields;
    return n;
}

/* Whether a batch may start with row r: at most 8 bytes are cut off the end of
 * its cell, and the 32 bytes before them must be in the text. */
static bool batch_may_start(const struct csv_cells *c, size_t r)
{
    return r > 0 &&
           c->ends[r * c->fields + c->field] >= 8 + NUMBER_QUICK_LENGTH;
}

/* Whether to try a batch at a cell that the scalar loop refused. After several
 * failures one such cell in 32 is tried, selected by a hash of its row, so that
 * no period in the data matters. */
static bool batch_may_try(size_t r, size_t alone)
{
    return alone < 16 || (uint32_t)r * 0x9e3779b1u >> 27 == 0;
}

/* The start and end in the text of the cell of row r, which is not the first.
 * Leaves out a byte that may be the CR of a line end. */
static void batch_span(const struct csv_cells *c, size_t r, size_t *start,
                       size_t *end)
{
    const uint32_t *at = c->ends + r * c->fields + c->field;
    *start = at[-1] + 1;
    *end = *at;
    *end -= *end > *start && c->text[*end - 1] == '\r';
}

/* Whether the loops may pass over this cell: it is empty or a missing-value
 * word. */
static bool batch_passes(const struct csv_cells *c, size_t start, size_t end)
{
    const char *at = c->text + start;
    return c->pass &&
           (start == end || (csv_words_start(c->pass, (unsigned char)*at) &&
                             csv_words_have(c->pass, at, end - start)));
}

/* What the cell of row r looks like. is_refused: the scalar loop did not parse
 * it. Then, if the cell may be passed over, returns what the next cell looks
 * like. Detecting LOOK_OTHER pays: a single batch of 512-bit vectors in 16384
 * cells made the scalar loop, which uses no such vectors, 5 % slower. */
static enum batch_look batch_look(const struct csv_cells *c, size_t r,
                                  bool is_refused)
{
    enum batch_look look = LOOK_PLAIN;
    size_t start, end;
    batch_span(c, r, &start, &end);
    bool passes = is_refused && batch_passes(c, start, end);
    if (passes && r + 1 < c->rows)
        batch_span(c, r + 1, &start, &end);
    if (is_refused && c->quotes && c->text[start] == '"') {
        look = LOOK_QUOTED;
        end--;
    } else if (is_refused && !passes) {
        return LOOK_OTHER;
    }
    return (c->text[end - 4] | 0x20) == 'e' ? look | LOOK_EXPONENT : look;
}

/* Parses `alone` cells one by one, then as many batches as are decided. Where
 * the batches decide fewer than four cells, `alone` doubles. Batches read
 * quoted and empty cells, which the scalar loop refuses. */
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
        bool is_refused = r < some.rows;
        size_t before = r;
        enum batch_look look = LOOK_OTHER;
        if (!batch_may_start(cells, r)) {
            ok = !is_refused;
            continue;
        }
        if (!is_refused || batch_may_try(r, alone))
            look = batch_look(cells, r, is_refused);
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
        ok = !is_refused || done > 0;
    }
    if (cells->alone)
        *cells->alone = alone;
    *n = out.n;
    return r;
}

#define PARSE_BATCHES(dtype, long_name, class, storage)                       \
    static size_t batches_##dtype(const struct csv_cells *cells, size_t from, \
                                  void *values, uint32_t *rows, size_t *n)    \
    {                                                                         \
        return parse_batches(DTYPE_##dtype, sizeof(storage), parse_##dtype,   \
                             cells, from, values, rows, n);                   \
    }

PARSED(PARSE_BATCHES)
