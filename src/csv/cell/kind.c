/* SPDX-License-Identifier: MIT */
#include "csv/cell/kind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "csv/cell/shape.h"

/* Characters around the number of an amount. In UTF-8: the signs of euro,
 * pound, yen and degree. */
static const char *const marks[] = {
    "$", "%",  "\xe2\x82\xac", "#", "~", "\xc2\xa3", "<", ">",
    "=", "(",  "\xc2\xa5",     ")", "'", "\xc2\xb0", "+", "-",
    " ", "\t", "\"",           NULL};

/* Characters that occur around and within it: two no-break spaces, the thin
 * space, the apostrophe, the minus sign and two dashes. */
static const char *const inner[] = {
    "\xc2\xa0",     "\xe2\x80\xaf", "\xe2\x80\x89", "\xe2\x80\x99",
    "\xe2\x88\x92", "\xe2\x80\x93", "\xe2\x80\x94", NULL};

/* Bytes of the character of the list at p; 0: none is there. */
static size_t find(const char *const *list, const char *p, size_t left)
{
    /* The fast path: most cells of a header start with a letter. */
    if (left > 0 && isalnum((unsigned char)*p))
        return 0;
    for (; *list; list++) {
        size_t n = strlen(*list);
        if (n <= left && memcmp(p, *list, n) == 0)
            return n;
    }
    return 0;
}

/* The offset after the marks that start at offset i. */
static size_t skip_marks(struct csv_span s, size_t i)
{
    size_t n;
    while ((n = find(marks, s.at + i, s.bytes - i)) > 0 ||
           (n = find(inner, s.at + i, s.bytes - i)) > 0)
        i += n;
    return i;
}

/* Whether the text is a date, time, amount, size or version: digits and
 * separators, perhaps with marks around them. The only letters are T and Z, as
 * in times, and x, as in 640x480. */
static bool is_written_number(struct csv_span s)
{
    size_t digits = 0, i = skip_marks(s, 0);
    for (size_t n = 1; i < s.bytes && n > 0; i += n) {
        const char c = s.at[i];
        const bool is_digit = isdigit((unsigned char)c);
        digits += is_digit;
        n = is_digit || (strchr(".,:/-+_ '", c) && c) ||
                    (digits > 0 && (c == 'T' || c == 'Z' ||
                                    (c == 'x' && i + 1 < s.bytes &&
                                     isdigit((unsigned char)s.at[i + 1]))))
                ? 1
                : find(inner, s.at + i, s.bytes - i);
    }
    return digits > 0 && skip_marks(s, i) == s.bytes;
}

/* Whether the text is like a missing value, and no word that could as well be a
 * name: n.a., but not unknown. */
static bool is_missing(struct csv_span s)
{
    size_t letters = 0;
    while (letters < s.bytes && isalpha((unsigned char)s.at[letters]))
        letters++;
    return letters < s.bytes && csv_is_missing_word(s);
}

bool csv_is_data_like(struct csv_span text)
{
    for (size_t i = 0; i < text.bytes; i++) {
        unsigned char c = (unsigned char)text.at[i];
        /* All bytes above ASCII count as letters. */
        if (isalnum(c) || c > 0x7f)
            return is_written_number(text) || csv_has_unit(text) ||
                   csv_is_hexadecimal(text) || csv_is_fortran(text) ||
                   is_missing(text);
    }
    return true;
}

enum csv_kind csv_kind_of(const struct csv_spec *spec,
                          struct csv_dialect dialect, struct csv_span field)
{
    struct csv_spec plain = *spec;
    uint64_t bits;
    plain.dtype = DTYPE_f64;
    enum csv_cell cell = csv_cell_read(&plain, dialect, field, &bits);
    if (cell == CSV_CELL_NO_MEMORY)
        return CSV_KIND_NO_MEMORY;
    if (cell != CSV_CELL_BAD)
        return csv_cell_is_number(cell)   ? CSV_KIND_NUMBER
               : cell == CSV_CELL_MISSING ? CSV_KIND_EMPTY
                                          : CSV_KIND_DATA;
    struct csv_span content;
    char *room = malloc(field.bytes + 1);
    if (!room)
        return CSV_KIND_NO_MEMORY;
    csv_content(field, dialect, room, &content);
    enum csv_kind kind =
        csv_is_data_like(content) ? CSV_KIND_DATA : CSV_KIND_WORD;
    free(room);
    return kind;
}
