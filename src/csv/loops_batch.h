/* SPDX-License-Identifier: MIT */
/* As loops_parse.h, but eight cells at once where they are plain numbers. */
#pragma once

#include "csv/loops_parse.h"
#include "csv/number_batch_value.h"

/* Where a column's next eight cells end, and how long they are. */
BATCH_INLINE void batch_cells(struct batch_texts *t, const struct csv_cells *c,
                              const uint32_t *end)
{
    const void *pair[BATCH]; /* the end before and the end */
    for (int i = 0; i < BATCH; i++) {
        const uint32_t *at = end + (size_t)i * c->fields;
        t->end[i] = c->text + *at;
        pair[i] = at - 1;
    }
    __m512i x = batch_load(pair);
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

/* Cuts off what may be exponents as printf writes them: `e`, a sign and two
 * digits. Returns a bit for each that is none. */
BATCH_INLINE unsigned batch_cut_exponents(struct batch_texts *t, __m512i *e)
{
    const __m512i byte = _mm512_set1_epi64(255), nine = _mm512_set1_epi64(9);
    const __m512i digit_0 = _mm512_set1_epi64('0');
    const void *at[BATCH];
    for (int i = 0; i < BATCH; i++) {
        at[i] = t->end[i] - 8;
        t->end[i] -= 4;
    }
    t->length = _mm512_sub_epi64(t->length, _mm512_set1_epi64(4));
    __m512i x = _mm512_srli_epi64(batch_load(at), 32);
    __m512i letter = _mm512_and_si512(x, _mm512_set1_epi64(0xdf));
    __m512i sign = _mm512_and_si512(_mm512_srli_epi64(x, 8), byte);
    __m512i tens = _mm512_and_si512(_mm512_srli_epi64(x, 16), byte);
    __m512i ones = _mm512_srli_epi64(x, 24);
    tens = _mm512_sub_epi64(tens, digit_0);
    ones = _mm512_sub_epi64(ones, digit_0);
    x = _mm512_add_epi64(_mm512_mul_epu32(tens, _mm512_set1_epi64(10)), ones);
    __mmask8 minus = _mm512_cmpeq_epi64_mask(sign, _mm512_set1_epi64('-'));
    __mmask8 plus = _mm512_cmpeq_epi64_mask(sign, _mm512_set1_epi64('+'));
    unsigned good = _mm512_cmpeq_epi64_mask(letter, _mm512_set1_epi64('E')) &
                    (minus | plus) & _mm512_cmple_epu64_mask(tens, nine) &
                    _mm512_cmple_epu64_mask(ones, nine);
    /* 0 for others: there is no power of those. */
    x = _mm512_maskz_mov_epi64((__mmask8)good, x);
    *e = _mm512_mask_sub_epi64(x, minus, _mm512_setzero_si512(), x);
    return ~good & ((1u << BATCH) - 1);
}

/* Which have more bytes. */
BATCH_INLINE unsigned batch_over(const struct batch_texts *t, unsigned bytes)
{
    return _mm512_cmpgt_epu64_mask(t->length, _mm512_set1_epi64(bytes));
}

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
    __m512i x, empty;
    unsigned bad, odd = 0;
    batch_cells(&t, c, end);
    if (c->field + 1 == c->fields)
        batch_drop_cr(&t);
    if (look & LOOK_QUOTED)
        batch_drop_quotes(&t, c, end);
    empty = t.length;
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
    if (c->pass_empty)
        passed = _mm512_testn_epi64_mask(empty, empty);
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

/* What the cell of row r looks like; is_odd: it was not read by itself. To tell
 * those that are no use is worth it: one batch of 512 bits in 16384 cells cost
 * the quick way, which has none, 5 %. */
static enum batch_look batch_look(const struct csv_cells *c, size_t r,
                                  bool is_odd)
{
    const uint32_t *at = c->ends + r * c->fields + c->field;
    size_t end = *at;
    /* What is cut off, and the 32 bytes before it. */
    if (r == 0 || end < 8 + NUMBER_QUICK_LENGTH)
        return LOOK_OTHER;
    enum batch_look look = LOOK_PLAIN;
    end -= c->text[end - 1] == '\r';
    if (is_odd && c->text[at[-1] + 1] == '"') {
        look = LOOK_QUOTED;
        end--;
    } else if (is_odd) {
        return at[-1] + 1 == end && c->pass_empty ? LOOK_PLAIN : LOOK_OTHER;
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
    bool ok = true;
    while (ok) {
        some.rows = alone < cells->rows - r ? r + alone : cells->rows;
        r = parse_alone(&some, r, values, rows, &out.n);
        if (r == cells->rows)
            break;
        bool is_odd = r < some.rows;
        size_t before = r;
        enum batch_look look = batch_look(cells, r, is_odd);
        if (look == LOOK_PLAIN)
            r = batches(dtype, size, LOOK_PLAIN, cells, r, &out);
        else if (look == LOOK_QUOTED)
            r = batches(dtype, size, LOOK_QUOTED, cells, r, &out);
        else if (dtype < DTYPE_FLOATS_END && look != LOOK_OTHER)
            r = look & LOOK_QUOTED
                    ? batches(dtype, size, LOOK_QUOTED | LOOK_EXPONENT, cells,
                              r, &out)
                    : batches(dtype, size, LOOK_EXPONENT, cells, r, &out);
        size_t done = r - before;
        alone = done >= BATCH / 2 ? 1 : alone < 128 ? 2 * alone : alone;
        ok = !is_odd || done > 0;
    }
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
