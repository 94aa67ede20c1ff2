/* SPDX-License-Identifier: MIT */
#include "csv/cell/kind.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Characters around the number of an amount. In UTF-8: the signs of euro,
 * pound, yen and degree, the no-break space, and the minus sign. */
static const char *const marks[] = {
    "$",  "%",        "\xe2\x82\xac", "#", "~", "\xc2\xa3",
    "<",  ">",        "\xc2\xa5",     "=", "(", ")",
    "'",  "\"",       "\xc2\xb0",     "+", "-", " ",
    "\t", "\xc2\xa0", "\xe2\x88\x92"};

/* Bytes of the mark at p; 0: no mark is there. */
static size_t mark(const char *p, size_t left)
{
    /* The fast path: most cells of a header start with a letter. */
    if (left > 0 && isalnum((unsigned char)*p))
        return 0;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        size_t n = strlen(marks[i]);
        if (n <= left && memcmp(p, marks[i], n) == 0)
            return n;
    }
    return 0;
}

/* Whether the text is a date, time, amount or version: digits and separators,
 * perhaps with marks around them. The only letters are T and Z, as in times. */
static bool is_written_number(struct csv_span s)
{
    size_t digits = 0, i = 0, n;
    while (i < s.bytes && (n = mark(s.at + i, s.bytes - i)) > 0)
        i += n;
    for (; i < s.bytes; i++) {
        char c = s.at[i];
        if (isdigit((unsigned char)c))
            digits++;
        else if (!(strchr(".,:/-+_ '", c) && c) &&
                 !(digits > 0 && (c == 'T' || c == 'Z')))
            break;
    }
    while (i < s.bytes && (n = mark(s.at + i, s.bytes - i)) > 0)
        i += n;
    return digits > 0 && i == s.bytes;
}

/* Whether the text is a number with a unit of bytes (12K, 5 MiB), in
 * hexadecimal, or with Fortran's exponent. */
static bool has_unit(struct csv_span s)
{
    static const char *const tails[] = {"", "B", "iB", "b", "i"};
    size_t i = 0;
    while (i < s.bytes && strchr("0123456789.,", s.at[i]) && s.at[i])
        i++;
    if (i == 0 || i == s.bytes)
        return false;
    if (s.bytes - i > 1 && (s.at[i] == 'D' || s.at[i] == 'x')) {
        size_t rest = i + 1 + (s.at[i + 1] == '+' || s.at[i + 1] == '-');
        while (rest < s.bytes && isxdigit((unsigned char)s.at[rest]))
            rest++;
        return rest == s.bytes;
    }
    i += s.at[i] == ' ';
    if (i == s.bytes || !strchr("kKMGTP", s.at[i]) || !s.at[i])
        return false;
    for (size_t t = 0; t < sizeof tails / sizeof tails[0]; t++) {
        size_t n = strlen(tails[t]);
        if (s.bytes - i - 1 == n && memcmp(s.at + i + 1, tails[t], n) == 0)
            return true;
    }
    return false;
}

bool csv_is_data_like(struct csv_span text)
{
    for (size_t i = 0; i < text.bytes; i++) {
        unsigned char c = (unsigned char)text.at[i];
        /* All bytes above ASCII count as letters. */
        if (isalnum(c) || c > 0x7f)
            return is_written_number(text) || has_unit(text);
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
