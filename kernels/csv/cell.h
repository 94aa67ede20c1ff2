/* SPDX-License-Identifier: MIT */
/*
 * The text of a cell: where it lies in its field, and whether it means a
 * missing value. Only for text without a stray quote (marks.h): there a field
 * contains quotes only if it begins with one, and their number is even.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "csv/cell/notation.h"
#include "csv/structure/machine.h"
#include "reduce/hd.h"

enum {
    /* The host reads longer fields: one would keep a whole warp waiting. */
    CSV_CELL_BYTES = 1024,
    GPU_CSV_WORDS = 16,
    GPU_CSV_WORD_BYTES = 16,
};

/* The words that mean a missing value; an empty cell is missing too. Begins as
 * zero bytes, is filled by gpu_csv_words_add, and goes to kernels by value. */
struct gpu_csv_words {
    unsigned count;
    unsigned lengths; /* bit n: some word has n bytes */
    unsigned length[GPU_CSV_WORDS];
    uint64_t text[GPU_CSV_WORDS][2]; /* little endian, zeros after */
    /* `more`: some words did not fit. Only the first byte b of each is kept, as
     * bit b of `first`; the host reads every cell that begins with it. */
    bool more;
    uint32_t first[8];
};

/* Packs at most 16 bytes into two words. */
HD void csv_pack(const unsigned char *p, size_t length, uint64_t text[2])
{
    text[0] = text[1] = 0;
    for (size_t i = 0; i < length && i < 8; i++)
        text[0] |= (uint64_t)p[i] << 8 * i;
    for (size_t i = 8; i < length; i++)
        text[1] |= (uint64_t)p[i] << 8 * (i - 8);
}

/* Adds a word. The host reads the cells that may equal a word with the
 * dialect's quote in it, which are doubled in a quoted cell. */
static inline void gpu_csv_words_add(struct gpu_csv_words *w, const char *word,
                                     size_t length, struct csv_dialect dialect)
{
    const unsigned char *p = (const unsigned char *)word;
    if (length == 0)
        return;
    if (length > GPU_CSV_WORD_BYTES || w->count == GPU_CSV_WORDS ||
        (dialect.quotes && memchr(word, dialect.quote, length))) {
        w->more = true;
        w->first[p[0] / 32] |= 1u << p[0] % 32;
        return;
    }
    w->length[w->count] = (unsigned)length;
    w->lengths |= 1u << length;
    csv_pack(p, length, w->text[w->count++]);
}

HD bool gpu_csv_words_have(const struct gpu_csv_words *w,
                           const unsigned char *p, size_t length)
{
    if (length > GPU_CSV_WORD_BYTES || !(w->lengths >> length & 1))
        return false;
    uint64_t text[2];
    csv_pack(p, length, text);
    bool have = false;
    for (unsigned i = 0; i < w->count; i++)
        have |= w->length[i] == length && w->text[i][0] == text[0] &&
                w->text[i][1] == text[1];
    return have;
}

HD bool csv_is_blank(unsigned char c)
{
    return c == ' ' || c == '\t';
}

/* Narrows [*from, *to) from a field to its text, without the line end's CR,
 * enclosing quotes and surrounding blanks. `last`: the field ends its record.
 * Returns false if the host has to read the cell. Doubled quotes may remain
 * inside; such a text is neither a number nor a missing-value word. */
HD bool csv_cell_text(const unsigned char **from, const unsigned char **to,
                      bool last, struct csv_dialect dialect)
{
    const unsigned char *p = *from, *end = *to;
    const bool has_cr = last && end > p && end[-1] == '\r';
    end -= has_cr;
    if (end - p > CSV_CELL_BYTES)
        return false;
    if (dialect.blank) {
        while (p < end && csv_is_blank(*p))
            p++;
        while (p < end && csv_is_blank(end[-1]))
            end--;
        /* Blanks may separate a CR from its LF. */
        end -= last && !has_cr && end > p && end[-1] == '\r';
    }
    if (end > p && dialect.quotes && *p == dialect.quote) {
        if (end - p < 2 || end[-1] != dialect.quote)
            return false;
        p++;
        end--;
    }
    while (p < end && csv_is_blank(*p))
        p++;
    while (p < end && csv_is_blank(end[-1]))
        end--;
    *from = p;
    *to = end;
    return true;
}

enum gpu_csv_kind {
    GPU_CSV_NUMBER, /* a number, unless parsing it fails */
    GPU_CSV_MISSING,
    GPU_CSV_LISTED, /* the host has to read it */
};

HD enum gpu_csv_kind gpu_csv_kind_of(const struct gpu_csv_words *w,
                                     const unsigned char *p,
                                     const unsigned char *end)
{
    if (p == end || gpu_csv_words_have(w, p, (size_t)(end - p)))
        return GPU_CSV_MISSING;
    if (w->more && (w->first[*p / 32] >> *p % 32 & 1))
        return GPU_CSV_LISTED;
    return GPU_CSV_NUMBER;
}

/* The same in another notation. Stripping characters may leave a missing-value
 * word. */
HD enum gpu_csv_kind gpu_csv_kind_in(const struct csv_notation *n,
                                     const struct gpu_csv_words *w,
                                     const unsigned char *p,
                                     const unsigned char *end)
{
    const enum gpu_csv_kind kind = gpu_csv_kind_of(w, p, end);
    if (kind != GPU_CSV_NUMBER)
        return kind;
    const struct csv_stripped left =
        csv_strip(n, (const char *)p, (const char *)end);
    if (!left.ok || left.sign || left.at == left.end)
        return GPU_CSV_NUMBER;
    return gpu_csv_kind_of(w, (const unsigned char *)left.at,
                           (const unsigned char *)left.end);
}
