/* SPDX-License-Identifier: MIT */
/* Words for missing values that look like numbers. */
#include <string.h>

#include "csv/decode_parts.h"

/* Whether the loops may compare words with cells of `digits`, where the decimal
 * mark and the point are swapped: no word contains either. */
static bool words_are_plain(const struct csv_spec *spec)
{
    const char decimal = spec->notation.decimal;
    for (size_t i = 0; spec->notation.used && i < spec->words.n; i++) {
        const char *text = spec->words.word[i].text;
        size_t n = spec->words.word[i].bytes;
        if (memchr(text, decimal, n) || memchr(text, '.', n))
            return false;
    }
    return true;
}

/* Finds the missing-value words that look like numbers. The loops parse a cell
 * with such a word as a number. */
static void find_number_words(struct csv_decoder *d)
{
    struct csv_spec spec = *d->spec;
    spec.words.n = 0;
    for (size_t i = 0; i < d->spec->words.n; i++) {
        const struct csv_span word = {d->spec->words.word[i].text,
                                      d->spec->words.word[i].bytes};
        uint64_t *bits = &d->word_bits[d->number_words];
        enum csv_cell cell =
            csv_cell_read(&spec, csv_dialect_of(','), word, bits);
        d->number_words += cell == CSV_CELL_NUMBER;
    }
}

void csv_decoder_words(struct csv_decoder *d)
{
    if (!d->spec->missing_is_error && words_are_plain(d->spec))
        d->pass = &d->spec->words;
    find_number_words(d);
}

/* Whether the cell that the loops parsed as a number means a missing value. The
 * loops saw its digits only; with --strip $, a word 999 is also in `$999`. */
static bool is_word(const struct csv_decoder *d, struct csv_span field)
{
    uint64_t bits;
    return csv_cell_read(d->spec, d->dialect, field, &bits) == CSV_CELL_MISSING;
}

/* Whether any of n 64-bit values equals the value of a missing-value word. It
 * compares all of them, without an early exit, so that the compiler vectorizes
 * the loop. */
static bool any_is_word(const struct csv_decoder *d, const uint64_t *values,
                        size_t n)
{
    bool any = false;
    for (size_t k = 0; k < d->number_words; k++) {
        for (size_t i = 0; i < n; i++)
            any |= values[i] == d->word_bits[k];
    }
    return any;
}

void csv_decoder_drop(struct csv_decoder *d, const struct csv_cells *cells,
                      size_t from, size_t *n)
{
    const enum dtype dtype = d->spec->dtype;
    const size_t size = dtype_info(dtype)->size;
    char *values = d->kept.values.at;
    uint32_t *rows = d->kept.rows.at;
    size_t kept = from;
    if (size == 8 &&
        !any_is_word(d, (const uint64_t *)d->kept.values.at + from, *n - from))
        return;
    for (size_t i = from; i < *n; i++) {
        uint64_t bits = dtype_load(dtype, values + i * size);
        bool drop = false;
        for (size_t k = 0; k < d->number_words && !drop; k++)
            drop = bits == d->word_bits[k] &&
                   is_word(d, csv_decoder_field(d, cells, rows[i]));
        if (drop)
            continue;
        memcpy(values + kept * size, values + i * size, size);
        rows[kept++] = rows[i];
    }
    *n = kept;
}
