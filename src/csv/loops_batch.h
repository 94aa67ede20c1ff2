/* SPDX-License-Identifier: MIT */
/* As loops_parse.h, but eight cells at once where they are plain numbers. */
#pragma once

#include "csv/loops_parse.h"
#include "csv/number_batch_value.h"

/* Where a column's next eight cells end, and how long they are. */
BATCH_INLINE void batch_cells(struct batch_texts *t, const struct csv_cells *c,
                              const uint32_t *end)
{
    __m128i pair[BATCH / 2];
    for (int i = 0; i < BATCH; i++)
        t->end[i] = c->text + end[(size_t)i * c->fields];
    /* The end before and the end. */
    for (int i = 0; i < BATCH / 2; i++) {
        const uint32_t *at = end - 1 + 2 * (size_t)i * c->fields;
        __m128i x = _mm_loadl_epi64((const void *)at);
        pair[i] = _mm_castpd_si128(
            _mm_loadh_pd(_mm_castsi128_pd(x), (const void *)(at + c->fields)));
    }
    __m512i x = _mm512_inserti64x4(
        _mm512_castsi256_si512(_mm256_set_m128i(pair[1], pair[0])),
        _mm256_set_m128i(pair[3], pair[2]), 1);
    x = _mm512_maskz_sub_epi32(0x5555, _mm512_srli_epi64(x, 32), x);
    t->length = _mm512_sub_epi64(x, _mm512_set1_epi64(1));
}

/* Leaves out a CR that belongs to the line's end. None is before an empty cell:
 * that is a delimiter or LF. */
BATCH_INLINE void batch_drop_cr(struct batch_texts *t)
{
    unsigned cr = 0;
    for (int i = 0; i < BATCH; i++)
        cr |= (unsigned)(t->end[i][-1] == '\r') << i;
    if (cr == 0)
        return;
    t->length = _mm512_mask_sub_epi64(t->length, (__mmask8)cr, t->length,
                                      _mm512_set1_epi64(1));
    for (int i = 0; i < BATCH; i++)
        t->end[i] -= cr >> i & 1;
}

/* Leaves out the quotes around cells. What has more of them, or one for both,
 * is no plain number. */
BATCH_INLINE void batch_drop_quotes(struct batch_texts *t,
                                    const struct csv_cells *c,
                                    const uint32_t *end)
{
    const __m512i both = _mm512_set1_epi64(2);
    unsigned quoted = 0;
    for (int i = 0; i < BATCH; i++) {
        const char *start = c->text + end[(size_t)i * c->fields - 1] + 1;
        quoted |= (unsigned)(*start == '"' && t->end[i][-1] == '"') << i;
    }
    t->length =
        _mm512_mask_sub_epi64(t->length, (__mmask8)quoted, t->length, both);
    for (int i = 0; i < BATCH; i++)
        t->end[i] -= quoted >> i & 1;
}

/* Stores what the next eight cells are; returns how many of them, from the
 * first on, are decided. */
BATCH_INLINE unsigned batch_parse(enum dtype dtype, bool quoted,
                                  const struct csv_cells *c,
                                  const uint32_t *end, void *to)
{
    struct batch_texts t;
    batch_cells(&t, c, end);
    if (c->field + 1 == c->fields)
        batch_drop_cr(&t);
    if (quoted)
        batch_drop_quotes(&t, c, end);
    unsigned bad = _mm512_cmpgt_epu64_mask(t.length, _mm512_set1_epi64(16));
    if (bad == 0)
        bad = batch_store(dtype, false, &t, to);
    else
        bad = batch_store(dtype, true, &t, to) |
              _mm512_cmpgt_epu64_mask(t.length,
                                      _mm512_set1_epi64(NUMBER_QUICK_LENGTH));
    return (unsigned)__builtin_ctz(bad | 1u << BATCH);
}

BATCH_INLINE void batch_rows(uint32_t *row, size_t r)
{
    const __m256i first = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    _mm256_storeu_si256((void *)row,
                        _mm256_add_epi32(first, _mm256_set1_epi32((int)r)));
}

/* Batches from row `from` on, as long as all of a batch is decided; returns how
 * many cells were. There is room for the eight that a batch stores, since no
 * row has two values. */
BATCH_INLINE size_t batches(enum dtype dtype, size_t size, bool quoted,
                            const struct csv_cells *cells, size_t from,
                            char *to, uint32_t *rows)
{
    const struct csv_cells c = *cells;
    const uint32_t *end = c.ends + from * c.fields + c.field;
    unsigned decided = BATCH;
    size_t n = 0;
    while (decided == BATCH && c.rows - from - n >= BATCH) {
        decided = batch_parse(dtype, quoted, &c, end, to + n * size);
        batch_rows(rows + n, from + n);
        n += decided;
        end += BATCH * c.fields;
    }
    return n;
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

/* Whether cells from row r on may be plain, but for quotes. Not to try is worth
 * it: one batch of 512 bits in 16384 cells cost the quick way, which has none,
 * 5 %. */
ALWAYS_INLINE bool batch_is_promising(const struct csv_cells *c, size_t r,
                                      bool quoted)
{
    size_t end = c->ends[r * c->fields + c->field] - quoted;
    return end >= NUMBER_QUICK_LENGTH && (c->text[end - 4] | 0x20) != 'e';
}

/* Whether the cell of row r starts with a quote. */
ALWAYS_INLINE bool batch_is_quoted(const struct csv_cells *c, size_t r)
{
    return r > 0 && c->text[c->ends[r * c->fields + c->field - 1] + 1] == '"';
}

/* A cell by itself, then as many batches as go; where none does, a while
 * without. A cell in quotes is not read by itself. */
BATCH_INLINE size_t parse_batches(enum dtype dtype, size_t size,
                                  csv_parse_fn *parse_alone,
                                  const struct csv_cells *cells, size_t from,
                                  char *values, uint32_t *rows, size_t *n)
{
    struct csv_cells some = *cells;
    size_t r = from, alone = batch_first(cells, from);
    for (;;) {
        some.rows = alone < cells->rows - r ? r + alone : cells->rows;
        r = parse_alone(&some, r, values, rows, n);
        if (r == cells->rows)
            return r;
        char *to = values + *n * size;
        size_t done = 0;
        if (r < some.rows) {
            if (batch_is_quoted(cells, r) && batch_is_promising(cells, r, true))
                done = batches(dtype, size, true, cells, r, to, rows + *n);
            if (done == 0)
                return r;
        } else if (batch_is_promising(cells, r, false)) {
            done = batches(dtype, size, false, cells, r, to, rows + *n);
        }
        alone = done >= BATCH / 2 ? 1 : alone < 128 ? 2 * alone : alone;
        r += done;
        *n += done;
    }
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
