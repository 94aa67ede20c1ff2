/* SPDX-License-Identifier: MIT */
/* Finds eight cells of a column as texts of numbers, without CR, quotes and
 * exponents. */
#pragma once

#include "csv/simd/loops.h"
#include "csv/number/number_batch.h"
#include "csv/cell/words.h"

/* Sets the ends and lengths of a column's next eight cells; *end is the end of
 * the first. */
BATCH_INLINE void batch_cells(struct batch_texts *t, const struct csv_cells *c,
                              const uint32_t *end)
{
    /* Address of the end before the cell, followed by the cell's. */
    const void *pair[BATCH];
    for (int i = 0; i < BATCH; i++) {
        const uint32_t *at = end + (size_t)i * c->fields;
        t->end[i] = c->text + *at;
        pair[i] = at - 1;
    }
    __m512i x = batch_load(pair);
    x = _mm512_maskz_sub_epi32(0x5555, _mm512_srli_epi64(x, 32), x);
    t->length = _mm512_sub_epi64(x, _mm512_set1_epi64(1));
}

/* Leaves out a CR that belongs to the line end. The byte before an empty cell
 * is never CR: it is a delimiter or LF. */
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

/* Leaves out the quotes around cells. A cell with more quotes, or with one byte
 * as both, is then not a plain number. */
BATCH_INLINE void batch_drop_quotes(struct batch_texts *t,
                                    const struct csv_cells *c,
                                    const uint32_t *end)
{
    const __m512i both = _mm512_set1_epi64(2);
    unsigned quoted = 0;
    for (int i = 0; i < BATCH; i++) {
        const uint32_t *at = end + (size_t)i * c->fields;
        const char *start = c->text + at[-1] + 1;
        quoted |= (unsigned)(*start == '"' && t->end[i][-1] == '"') << i;
    }
    t->length =
        _mm512_mask_sub_epi64(t->length, (__mmask8)quoted, t->length, both);
    for (int i = 0; i < BATCH; i++)
        t->end[i] -= quoted >> i & 1;
}

/* Cuts four bytes off each cell and reads them as an exponent in the form of
 * printf: `e`, a sign and two digits. Returns a bit for each cell where they
 * are something else. */
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
    /* 0 for the other cells, whose bytes would be no index of the table of
     * powers. */
    x = _mm512_maskz_mov_epi64((__mmask8)good, x);
    *e = _mm512_mask_sub_epi64(x, minus, _mm512_setzero_si512(), x);
    return ~good & ((1u << BATCH) - 1);
}

/* A bit for each cell that is empty or a missing-value word. length: of each
 * whole cell; `cut` bytes of it were cut off. Stops as soon as all cells in
 * `bad` have their bit. */
BATCH_INLINE unsigned batch_passed(const struct batch_texts *t, __m512i length,
                                   unsigned cut, const struct csv_words *words,
                                   unsigned bad)
{
    unsigned passed = _mm512_testn_epi64_mask(length, length);
    const void *at[BATCH];
    for (int i = 0; i < BATCH; i++)
        at[i] = t->end[i] + cut - 8;
    __m512i x = batch_load(at);
    for (size_t k = 0; k < words->n && (bad & ~passed); k++) {
        size_t bytes = words->word[k].bytes;
        uint64_t text = words->word[k].short_text;
        if (text == 0)
            continue;
        __m128i others = _mm_cvtsi64_si128((long long)(64 - 8 * bytes));
        __m512i last = _mm512_srl_epi64(x, others);
        passed |=
            _mm512_cmpeq_epi64_mask(last, _mm512_set1_epi64((int64_t)text)) &
            _mm512_cmpeq_epi64_mask(length, _mm512_set1_epi64((int64_t)bytes));
    }
    return passed;
}

/* A bit for each text of more than `bytes` bytes. */
BATCH_INLINE unsigned batch_over(const struct batch_texts *t, unsigned bytes)
{
    return _mm512_cmpgt_epu64_mask(t->length, _mm512_set1_epi64(bytes));
}
