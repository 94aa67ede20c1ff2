/* SPDX-License-Identifier: MIT */
/*
 * The structure of CSV text, 32 bytes at a time: bit i of a mask is byte i.
 *
 * A byte is inside quotes if the number of quotes before it is odd. The state
 * machine of CSV agrees as long as every quote that makes the number odd stands
 * where a field begins or right after a quote. Proof by induction: the machine
 * is then at the start of a field or after a closing quote, and takes the quote
 * as an opening one. Any other such quote is `stray`: the machine takes it as
 * data, so the text must not be read by parity.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv/structure/machine.h"
#include "reduce/hd.h"

enum { CSV_STEP = 32, CSV_GAP_MAX = 4096 };

struct csv_marks {
    uint32_t quote;
    uint32_t stray; /* quotes that cannot be opening ones */
    /* Valid only outside quotes: */
    uint32_t field_end; /* a delimiter, or a record's end */
    uint32_t row_end;   /* line ends, except those of blank lines */
    uint32_t row_begin; /* a record's first byte, blank lines skipped */
    bool unsure;        /* too many blanks before them: these may be wrong */
};

/* The neighbours of the 32 bytes. Text begins as if line ends preceded it.
 * `leading`: only blanks, if any, are between the line's start and these
 * bytes. */
struct csv_sides {
    unsigned char before, before_that, after, after_that;
    bool leading;
    bool unsure; /* CSV_GAP_MAX blanks or more precede them: `leading` is not
                  * known */
};

/* Sets whether only blanks are between the line's start and offset `at` of the
 * text. Looks back CSV_GAP_MAX bytes; if that is not enough, sets `unsure`. */
HD void csv_find_leading(struct csv_sides *sides, const unsigned char *text,
                         size_t at, struct csv_dialect d)
{
    for (unsigned i = 0; i < CSV_GAP_MAX; i++, at--) {
        sides->leading = at == 0 || text[at - 1] == d.end;
        if (sides->leading || !csv_is_gap(d, text[at - 1]))
            return;
    }
    sides->unsure = true;
}

/* Which bytes of a word equal those of `bytes`, as four bits. */
HD uint32_t csv_match(uint32_t word, uint32_t bytes)
{
    const uint32_t low = 0x7f7f7f7f;
    uint32_t x = word ^ bytes;
    /* 0x80 where a byte of x is 0: no carry leaves a byte. */
    x = ~(((x & low) + low) | x | low);
    /* Moves bits 0, 8, 16 and 24 to 24 ... 27. The other products land on bits
     * of their own elsewhere, so that nothing carries. */
    return (x >> 7) * 0x01020408 >> 24;
}

/* The mask of the bytes equal to `byte`. */
HD uint32_t csv_find(const uint32_t word[CSV_STEP / 4], unsigned char byte)
{
    const uint32_t bytes = byte * 0x01010101u;
    uint32_t found = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < CSV_STEP / 4; i++)
        found |= csv_match(word[i], bytes) << 4 * i;
    return found;
}

/* The mask of the bytes that follow those found; `before`: the byte before the
 * first is one of them. */
HD uint32_t csv_after(uint32_t found, int before)
{
    return found << 1 | (uint32_t)(before != 0);
}

/* The mask of the bytes that precede those found; `after`: the byte after the
 * last is one of them. */
HD uint32_t csv_before(uint32_t found, int after)
{
    return found >> 1 | (uint32_t)(after != 0) << (CSV_STEP - 1);
}

/* The last blank of each run that separates two fields: not of a run at the
 * start or the end of a line. */
HD uint32_t csv_gap_ends(uint32_t blank, uint32_t after_feed, uint32_t line_end,
                         struct csv_sides sides, struct csv_dialect d)
{
    const int end_after = sides.after == d.end ||
                          (sides.after == '\r' && sides.after_that == d.end);
    const uint32_t after_open =
        (uint32_t)(csv_is_gap(d, sides.before) && sides.leading);
    /* The carry of the addition clears a run that begins a line. */
    const uint32_t leading =
        blank & ~(blank + (blank & (after_feed | after_open)));
    return blank & ~leading & ~csv_before(blank, csv_is_gap(d, sides.after)) &
           ~csv_before(line_end, end_after);
}

/* The marks of 32 bytes, of which the first `count` are text. */
HD struct csv_marks csv_marks_of(const uint32_t word[CSV_STEP / 4],
                                 unsigned count, struct csv_sides sides,
                                 struct csv_dialect d)
{
    const uint32_t text = count < CSV_STEP ? (1u << count) - 1 : ~0u;
    const uint32_t quote = d.quotes ? csv_find(word, d.quote) & text : 0;
    const uint32_t feed = csv_find(word, d.end) & text;
    const uint32_t carriage = csv_find(word, '\r') & text;
    uint32_t delimit = csv_find(word, d.delimiter) & text;
    if (d.blank)
        delimit |= csv_find(word, '\t') & text;

    const uint32_t after_feed = csv_after(feed, sides.before == d.end);
    const uint32_t after_two =
        csv_after(after_feed, sides.before_that == d.end);
    const uint32_t after_carriage = csv_after(carriage, sides.before == '\r');
    const uint32_t after_begin =
        after_feed |
        csv_after(delimit,
                  sides.before == d.delimiter || csv_is_gap(d, sides.before)) |
        csv_after(quote, d.quotes && sides.before == d.quote);
    const uint32_t before_feed = csv_before(feed, sides.after == d.end);
    const uint32_t line_end = feed | (carriage & before_feed);
    if (d.blank)
        delimit = csv_gap_ends(delimit, after_feed, line_end, sides, d);

    struct csv_marks m;
    m.quote = quote;
    m.stray = quote & ~after_begin;
    m.row_end = feed & ~after_feed & ~(after_carriage & after_two);
    m.field_end = delimit | m.row_end;
    m.row_begin = after_feed & ~line_end & text;
    m.unsure = sides.unsure;
    return m;
}

/* The mask of the bytes inside quotes; an opening quote is inside, a closing
 * one is not. `inside`: the byte before the first is inside. */
HD uint32_t csv_inside(uint32_t quote, unsigned inside)
{
    quote ^= quote << 1;
    quote ^= quote << 2;
    quote ^= quote << 4;
    quote ^= quote << 8;
    quote ^= quote << 16;
    return quote ^ (0 - (uint32_t)inside);
}
