/* SPDX-License-Identifier: MIT */
/* Makes a column's numbers plain in place. Leading zeros replace the bytes that
 * are removed from a number, so that no cell moves. */
#pragma once

#include <string.h>

#include "csv/simd/loops.h"
#include "csv/number/number_run.h"
#include "reduce/cpu/vector.h"

enum { PLAIN_MAX = 256 };

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Makes a number of fewer than PLAIN_MAX bytes plain. Words, and cells that are
 * not numbers, stay as they are. */
static __attribute__((noinline)) void plain_slowly(const struct csv_notation *n,
                                                   char *start, char *end)
{
    char text[PLAIN_MAX];
    if (end - start >= PLAIN_MAX || start >= end)
        return;
    size_t bytes = csv_make_plain(n, start, end, text);
    size_t sign = bytes > 0 && (text[0] == '-' || text[0] == '+');
    /* A point without a digit is a word, too: zeros would make it a number. */
    const size_t digit = sign + (bytes > sign && text[sign] == '.');
    const bool is_number = bytes > digit && is_digit(text[digit]);
    /* A CR that a stripped character followed is data, but would be the line
     * end's at the end of the cell. */
    if (!is_number || text[bytes - 1] == '\r')
        return;
    memcpy(end - (bytes - sign), text + sign, bytes - sign);
    memset(start + sign, '0', (size_t)(end - start) - bytes);
    if (sign)
        *start = text[0];
}

#ifdef __AVX2__
#include <immintrin.h>

enum { HAVE_CLOSE_GROUPS = 1 };

/* How many places each byte moves to the right. Indexed by the byte's new place
 * minus that of the point, plus 16. Each separator between the byte and the
 * point adds one. */
static const uint8_t group_moves[32] = {3, 3, 3, 3, 3, 3, 3, 2, 2,
                                        2, 1, 1, 1, 0, 0, 0, 0};

/* Removes separators of one byte from a number of at most 16 bytes. Leaves the
 * number as it is unless a separator stands before every third digit, counted
 * from the point. */
ALWAYS_INLINE void close_groups(char *start, char *end, char separator)
{
    unsigned first = 16 - (unsigned)(end - start);
    __m128i x = _mm_loadu_si128((const void *)(end - 16));
    unsigned inside = 0xffffu << first & 0xffff;
    unsigned found = inside & (unsigned)_mm_movemask_epi8(
                                  _mm_cmpeq_epi8(x, _mm_set1_epi8(separator)));
    if (found == 0)
        return;
    unsigned points = inside & (unsigned)_mm_movemask_epi8(
                                   _mm_cmpeq_epi8(x, _mm_set1_epi8('.')));
    unsigned point = (unsigned)__builtin_ctz(points | 1u << 16);
    first += *start == '-' || *start == '+';
    /* An exponent has no groups, nor has a word: in,fin,ity. */
    const __m128i value = _mm_sub_epi8(x, _mm_set1_epi8('0'));
    const unsigned digits = (unsigned)_mm_movemask_epi8(
        _mm_cmpeq_epi8(value, _mm_min_epu8(value, _mm_set1_epi8(9))));
    const unsigned whole = ((1u << point) - 1) >> first << first;
    /* Where separators must stand. A number never starts with one. */
    unsigned wanted = 0x1111u << point >> 16 & 0xffffu << first;
    if (found != wanted || (whole & ~digits) != wanted || wanted >> first & 1)
        return;
    const __m128i places =
        _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    unsigned zeros = (unsigned)__builtin_popcount(found);
    __m128i moves = _mm_loadu_si128((const void *)(group_moves + 16 - point));
    __m128i closed = _mm_shuffle_epi8(x, _mm_sub_epi8(places, moves));
    __m128i is_closed =
        _mm_loadu_si128((const void *)run_last(16, 16 - first - zeros));
    __m128i is_number = _mm_loadu_si128((const void *)run_last(16, 16 - first));
    closed = _mm_blendv_epi8(_mm_set1_epi8('0'), closed, is_closed);
    _mm_storeu_si128((void *)(end - 16), _mm_blendv_epi8(x, closed, is_number));
}
#else
enum { HAVE_CLOSE_GROUPS = 0 };
#define close_groups(start, end, separator) ((void)0)
#endif

/* The notation of a text whose decimal mark and point were swapped. */
static struct csv_notation swapped(const struct csv_notation *n)
{
    struct csv_notation own = *n;
    own.decimal = '.';
    for (unsigned i = 0; i < n->thousands_bytes; i++) {
        if (n->thousands[i] == '.')
            own.thousands[i] = n->decimal;
    }
    return own;
}

/* Whether a digit begins, perhaps after a sign, and ends the cell: then there
 * is nothing to strip, since no digit is stripped. */
static bool is_bare(const char *start, const char *end)
{
    return is_digit(start[*start == '-' || *start == '+']) && is_digit(end[-1]);
}

static void plain(const struct csv_cells *cells, const struct csv_notation *n,
                  char *text)
{
    const struct csv_cells c = *cells;
    const struct csv_notation own = swapped(n);
    const uint32_t *at = c.ends + c.field;
    const bool only_groups = own.strip_bytes == 0 && !own.parens;
    const bool quickly = HAVE_CLOSE_GROUPS && own.thousands_bytes == 1;
    bool is_last = c.field + 1 == c.fields;
    for (size_t r = 0; r < c.rows; r++, at += c.fields) {
        size_t start = r + c.field > 0 ? at[-1] + 1u : 0, end = *at;
        if (is_last && end > start && text[end - 1] == '\r')
            end--;
        if (start >= end)
            continue;
        if (c.quotes && text[start] == '"' && text[end - 1] == '"' &&
            end - start > 2) {
            start++;
            end--;
        }
        const bool bare = is_bare(text + start, text + end);
        if (bare && own.thousands_bytes == 0)
            continue;
        if (quickly && (bare || only_groups) && end - start <= 16)
            close_groups(text + start, text + end, own.thousands[0]);
        else
            plain_slowly(&own, text + start, text + end);
    }
}
