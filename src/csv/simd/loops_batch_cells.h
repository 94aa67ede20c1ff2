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
    batch_u64 x = batch_load(pair);
    x = batch_sub(batch_right(x, 32), batch_and(x, batch_set(0xffffffff)));
    t->length = batch_sub(x, batch_set(1));
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
    t->length =
        batch_sub(t->length, batch_keep(batch_mask_of(cr), batch_set(1)));
    for (int i = 0; i < BATCH; i++)
        t->end[i] -= cr >> i & 1;
}

/* Leaves out the quotes around cells. After that, a cell with more quotes, or
 * one that is a single quote, is not a plain number. */
BATCH_INLINE void batch_drop_quotes(struct batch_texts *t,
                                    const struct csv_cells *c,
                                    const uint32_t *end)
{
    unsigned quoted = 0;
    for (int i = 0; i < BATCH; i++) {
        const uint32_t *at = end + (size_t)i * c->fields;
        const char *start = c->text + at[-1] + 1;
        quoted |= (unsigned)(*start == '"' && t->end[i][-1] == '"') << i;
    }
    t->length =
        batch_sub(t->length, batch_keep(batch_mask_of(quoted), batch_set(2)));
    for (int i = 0; i < BATCH; i++)
        t->end[i] -= quoted >> i & 1;
}

/* Cuts four bytes off each cell and reads them as an exponent in the form of
 * printf: `e`, a sign and two digits. Returns a bit for each cell where they
 * are something else. */
BATCH_INLINE unsigned batch_cut_exponents(struct batch_texts *t, batch_u64 *e)
{
    const batch_u64 byte = batch_set(255), ten = batch_set(10);
    const batch_u64 digit_0 = batch_set('0');
    const void *at[BATCH];
    for (int i = 0; i < BATCH; i++) {
        at[i] = t->end[i] - 8;
        t->end[i] -= 4;
    }
    t->length = batch_sub(t->length, batch_set(4));
    batch_u64 x = batch_right(batch_load(at), 32);
    batch_u64 letter = batch_and(x, batch_set(0xdf));
    batch_u64 sign = batch_and(batch_right(x, 8), byte);
    batch_u64 tens = batch_and(batch_right(x, 16), byte);
    batch_u64 ones = batch_right(x, 24);
    tens = batch_sub(tens, digit_0);
    ones = batch_sub(ones, digit_0);
    x = batch_add(batch_multiply32(tens, ten), ones);
    batch_mask minus = batch_equal(sign, batch_set('-'));
    batch_mask plus = batch_equal(sign, batch_set('+'));
    unsigned good = batch_bits(batch_equal(letter, batch_set('E'))) &
                    (batch_bits(minus) | batch_bits(plus)) &
                    batch_bits(batch_above(ten, tens)) &
                    batch_bits(batch_above(ten, ones));
    /* Other cells get 0, since their bytes may be no valid index of the table
     * of powers. */
    x = batch_keep(batch_mask_of(good), x);
    *e = batch_select(minus, batch_sub(batch_set(0), x), x);
    return ~good & ((1u << BATCH) - 1);
}

/* A bit for each cell that is empty or a missing-value word. `length` holds the
 * length of each cell before `cut` bytes were cut off its end. Stops as soon as
 * all cells in `bad` have their bit. */
BATCH_INLINE unsigned batch_passed(const struct batch_texts *t,
                                   batch_u64 length, unsigned cut,
                                   const struct csv_words *words, unsigned bad)
{
    unsigned passed = batch_bits(batch_equal(length, batch_set(0)));
    const void *at[BATCH];
    for (int i = 0; i < BATCH; i++)
        at[i] = t->end[i] + cut - 8;
    batch_u64 x = batch_load(at);
    for (size_t k = 0; k < words->n && (bad & ~passed); k++) {
        size_t bytes = words->word[k].bytes;
        uint64_t text = words->word[k].short_text;
        if (text == 0)
            continue;
        batch_u64 last = batch_right_by(x, batch_set(64 - 8 * bytes));
        passed |= batch_bits(batch_equal(last, batch_set(text))) &
                  batch_bits(batch_equal(length, batch_set(bytes)));
    }
    return passed;
}

/* A bit for each text of more than `bytes` bytes. */
BATCH_INLINE unsigned batch_over(const struct batch_texts *t, unsigned bytes)
{
    return batch_bits(batch_above(t->length, batch_set(bytes)));
}
