/* SPDX-License-Identifier: MIT */
/* Cells. Some are drawn as bits and printed. The others are texts that libc
 * reads. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../numbers/subjects.h"
#include "../numbers/texts.h"
#include "text.h"

/* Ways to print a number. A style of STYLES or more means any way for each
 * number. */
enum { STYLES = 10 };

static void trim(struct cell *cell)
{
    size_t from = 0;
    while (cell->n > 0 && strchr(" \t", cell->text[cell->n - 1]) &&
           cell->text[cell->n - 1])
        cell->n--;
    while (from < cell->n && cell->text[from] &&
           strchr(" \t", cell->text[from]))
        from++;
    cell->n -= from;
    memmove(cell->text, cell->text + from, cell->n);
    cell->text[cell->n] = '\0';
}

void cell_judge(struct cell *cell, const struct text_case *text_case)
{
    trim(cell);
    cell->kind = CELL_BAD;
    if (cell->n == 0 || text_is_word(text_case, cell->text, cell->n)) {
        cell->kind = CELL_MISSING;
    } else if (!memchr(cell->text, 0, cell->n)) {
        struct oracle oracle = oracle_of(text_case->dtype, cell->text, cell->n);
        if (oracle.is_number)
            cell->kind = CELL_NUMBER;
        cell->bits = oracle.bits;
    }
}

static void set(struct cell *cell, const char *text)
{
    cell->n = strlen(text);
    memcpy(cell->text, text, cell->n + 1);
}

/* Makes a missing cell: an empty one, or one of the words. */
static void make_missing(struct cell *cell, const struct text_case *text_case,
                         bool empty, struct random *r)
{
    uint64_t skip = empty ? 0 : random_below(r, 2) * random_below(r, 12);
    const char *p = text_case->words;
    set(cell, "");
    for (; skip > 0 && p; skip--) {
        size_t n = strcspn(p, ",");
        memcpy(cell->text, p, n);
        cell->n = n;
        p = p[n] ? p + n + 1 : NULL;
    }
    cell_judge(cell, text_case);
}

/* Makes a cell that is not a number, or a number that looks unusual. */
static void make_odd(struct cell *cell, const struct text_case *text_case,
                     struct random *r)
{
    static const char *const texts[] = {"n/a?",
                                        "x",
                                        "1.0.0",
                                        "--1",
                                        "1e",
                                        "0x10",
                                        "1_000",
                                        "12 34",
                                        "NAN",
                                        "-na",
                                        "N",
                                        "null1",
                                        "NAA",
                                        "+",
                                        ".",
                                        "-.e1",
                                        "infinite",
                                        "1e+",
                                        "1e5.0",
                                        "99999999999999999999",
                                        "-1",
                                        "1.0",
                                        "1e3",
                                        "128",
                                        "-129",
                                        "256",
                                        "65536",
                                        "1\r",
                                        "\r",
                                        "1\n2",
                                        "1,000",
                                        "\"1\"",
                                        "1\"",
                                        "\"",
                                        "\"\"",
                                        "\xef\xbc\x91",
                                        "1\xc2\xa0",
                                        "-999",
                                        "-9990",
                                        "a value that",
                                        "a value that nobody knows of",
                                        "a value that nobody knowz",
                                        "not knowm",
                                        "sixteen letters,",
                                        "sixteen letters. ",
                                        "seventeen letterz",
                                        "\v1",
                                        "1\f"};
    set(cell, texts[random_below(r, sizeof texts / sizeof texts[0])]);
    if (random_below(r, 16) == 0)
        cell->text[random_below(r, cell->n)] = '\0';
    if (random_below(r, 32) == 0) {
        size_t n = 60 + random_below(r, 60);
        memset(cell->text, "9x-"[random_below(r, 3)], n);
        cell->n = n;
    }
    cell_judge(cell, text_case);
}

/* Makes a text of one of check_numbers' classes, sometimes with zeros before
 * its digits. */
static void make_hostile(struct cell *cell, const struct text_case *text_case,
                         struct random *r)
{
    const struct text_class *kind = text_classes;
    uint64_t ticket = random_below(r, 64);
    for (; ticket >= kind->share; kind++)
        ticket -= kind->share;
    cell->n = kind->make(cell->text, r);
    if (random_below(r, 16) == 0) {
        size_t zeros = random_below(r, random_below(r, 4) ? 40 : 4000);
        size_t sign = cell->text[0] == '-' || cell->text[0] == '+';
        memmove(cell->text + sign + zeros, cell->text + sign, cell->n - sign);
        memset(cell->text + sign, '0', zeros);
        cell->n += zeros;
    }
    cell_judge(cell, text_case);
}

static uint64_t bits_of(enum dtype dtype, const char *text)
{
    uint64_t bits = 0;
    double x;
    float y;
    if (dtype == DTYPE_f64)
        memcpy(&bits, (x = strtod(text, NULL), &x), sizeof x);
    else
        memcpy(&bits, (y = strtof(text, NULL), &y), sizeof y);
    return bits;
}

static void make_word(struct cell *cell, enum dtype dtype, struct random *r)
{
    static const char *const words[] = {"inf", "nan", "infinity"};
    size_t which = random_below(r, 3);
    uint64_t sign = random_below(r, 2), style = random_below(r, 3);
    bool wide = dtype == DTYPE_f64;
    cell->n =
        (size_t)sprintf(cell->text, "%s%s", sign ? "-" : "", words[which]);
    for (size_t i = sign; i < cell->n && style; i++)
        cell->text[i] ^= (char)((style == 1 || i == sign) << 5);
    cell->bits = wide ? 0x7ffull << 52 : 0xffull << 23;
    if (which == 1)
        cell->bits |= 1ull << (wide ? 51 : 22);
    else
        cell->bits |= sign << (wide ? 63 : 31);
}

/* Prints a float the way programs write measured values. */
static void make_float(struct cell *cell, enum dtype dtype, unsigned style,
                       struct random *r)
{
    uint64_t digits = random_below(r, 1000000);
    double x = (random_unit(r) - 0.5) * exp(random_unit(r) * 20);
    int n;
    switch (style) {
    case FLOAT_ANY:
    case FLOAT_EVERYDAY:
    case FLOAT_EXTREME:
        cell->bits = float_bits(dtype, (enum float_kind)style, r);
        n = float_print(cell->text, dtype, cell->bits, digits % 16 == 0);
        cell->n = (size_t)n;
        return;
    case 3:
        n = sprintf(cell->text, "%.*f", (int)random_below(r, 25), x);
        break;
    case 4:
        n = sprintf(cell->text, "%.*e", (int)random_below(r, 25), x);
        break;
    case 5:
        n = sprintf(cell->text, "%.*G", (int)random_below(r, 20), x);
        break;
    case 6:
        n = sprintf(cell->text, "%" PRIu64, digits % 10);
        break;
    case 7:
        n = sprintf(cell->text, "%" PRIu64 ".%02" PRIu64, digits / 100,
                    digits % 100);
        break;
    case 8:
        n = float_print_middle(cell->text, dtype, r);
        break;
    default:
        n = sprintf(cell->text, "%s%" PRIu64, digits % 3 ? "" : "-", digits);
    }
    cell->n = (size_t)n;
    cell->bits = bits_of(dtype, cell->text);
}

static void make_whole(struct cell *cell, enum dtype dtype, unsigned style,
                       struct random *r)
{
    unsigned width = 8u * dtype_info(dtype)->size;
    uint64_t bits = random_next(r) >> (64 - width);
    char *p = cell->text;
    bool negative;
    if (style % 4 == 0)
        bits %= 10;
    else if (style % 4 < 3)
        bits >>= random_below(r, width);
    if (random_below(r, 16) == 0) /* a limit of the type, or a value near it */
        bits = (1ull << (width - 1)) - random_below(r, 3);
    bits &= ~0ull >> (64 - width);
    cell->bits = bits;
    negative = dtype_is_signed(dtype) && bits >> (width - 1);
    if (negative)
        bits = (0 - bits) & ~0ull >> (64 - width);
    if (negative || random_below(r, 16) == 0)
        *p++ = negative ? '-' : '+';
    if (random_below(r, 16) == 0)
        p += sprintf(p, "%.*s", (int)random_below(r, 20),
                     "00000000000000000000");
    cell->n = (size_t)(p - cell->text + sprintf(p, "%" PRIu64, bits));
}

void cell_make(struct cell *cell, const struct text_case *text_case,
               const struct cell_odds *odds, struct random *r)
{
    uint64_t ticket = random_below(r, 256);
    unsigned style = odds->style;
    if (ticket < odds->missing) {
        make_missing(cell, text_case, odds->empty, r);
    } else if ((ticket -= odds->missing) < odds->bad) {
        make_odd(cell, text_case, r);
    } else if ((ticket -= odds->bad) < odds->hostile) {
        make_hostile(cell, text_case, r);
    } else {
        if (style >= STYLES)
            style = (unsigned)random_below(r, STYLES);
        cell->kind = CELL_NUMBER;
        if (dtype_is_float(text_case->dtype) &&
            random_below(r, 65536) < odds->special)
            make_word(cell, text_case->dtype, r);
        else if (dtype_is_float(text_case->dtype))
            make_float(cell, text_case->dtype, style, r);
        else
            make_whole(cell, text_case->dtype, style, r);
        if (text_is_word(text_case, cell->text, cell->n))
            cell->kind = CELL_MISSING;
    }
}
