/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as cells of two columns, in a notation that the first byte chooses
 * and a type that the second does. The fastest loops and the portable ones must
 * find in each cell what csv_cell_read finds, which reads one at a time.
 */
#include "fuzz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "csv/decode.h"
#include "csv/structure/record.h"

enum { COLUMNS = 2, TEXT_MAX = 4096, ROWS_MAX = TEXT_MAX / 2 };

static char text[2 * TEXT_MAX + 4 + CSV_PADDING];
static size_t bytes;

/* What csv_cell_read finds in each cell. */
static struct {
    enum csv_cell cell;
    uint64_t bits;
} want[ROWS_MAX][COLUMNS];
static size_t rows;

static void put(char c)
{
    text[bytes++] = c;
}

static void put_twice(char c)
{
    put(c);
    put(c);
}

/* Ends a cell, with its quotes, and every other one a record. */
static void end_cell(bool *is_last, bool *has_quotes)
{
    if (*has_quotes)
        put('"');
    put(*is_last ? '\n' : ';');
    *is_last = !*is_last;
    *has_quotes = false;
}

/* Each line or ';' ends a cell. Within quotes, quotes are doubled; others are
 * left out, since in the midst of a cell they are an error. */
static void make_text(const unsigned char *p, size_t n, bool may_quote)
{
    bool is_last = false, has_quotes = false, is_start = true;
    bytes = 0;
    for (size_t i = 0; i < n && i < TEXT_MAX - 4; i++) {
        if (p[i] == '\n' || p[i] == ';') {
            end_cell(&is_last, &has_quotes);
            is_start = true;
            continue;
        }
        if (p[i] != '"')
            put((char)p[i]);
        else if (may_quote && is_start)
            put('"');
        else if (has_quotes)
            put_twice('"');
        has_quotes |= p[i] == '"' && may_quote && is_start;
        is_start = false;
    }
    do {
        end_cell(&is_last, &has_quotes);
    } while (is_last);
}

/* Bits 0 to 2: the separator of thousands; then a decimal comma, two bits for
 * what is stripped, and parentheses. Returns false if the byte chooses
 * one character for both: the separator of thousands and the decimal mark. */
static bool choose_notation(struct csv_notation *n, unsigned char byte)
{
    static const char *const separators[] = {
        "", ",", ".", "'", " ", "\xc2\xa0", "\xe2\x80\xaf", "_"};
    const char *separator = separators[byte & 7];
    const char *strip = byte & 16 ? byte & 32 ? "$%\xe2\x82\xac" : "$" : "";
    *n = (struct csv_notation){.decimal = byte & 8 ? ',' : '.',
                               .parens = byte & 64};
    n->thousands_bytes = (unsigned char)strlen(separator);
    memcpy(n->thousands, separator, n->thousands_bytes);
    n->strip_bytes = (unsigned char)strlen(strip);
    memcpy(n->strip, strip, n->strip_bytes);
    n->used = byte & 0x7f;
    return *separator != n->decimal;
}

static void read_cells(const struct csv_spec *spec, struct csv_dialect d)
{
    const struct csv_span whole = {text, bytes};
    struct csv_fields got = {.n = 0};
    size_t at = 0;
    rows = 0;
    while (csv_record_next(whole, &at, d, true, &got) == CSV_RECORD_OK) {
        if (got.n != COLUMNS)
            wrong("cells", "another number of fields", "2");
        for (size_t c = 0; c < COLUMNS; c++)
            want[rows][c].cell =
                csv_cell_read(spec, d, got.at[c], &want[rows][c].bits);
        rows++;
    }
    csv_fields_free(&got);
}

static void check(bool ok, const char *what, size_t row, size_t c)
{
    static const char *const names[] = {"number",  "wide",    "wide",
                                        "rounded", "missing", "bad",
                                        "other",   "other",   "other"};
    if (!ok)
        wrong("cells", what, row < rows ? names[want[row][c].cell] : "none");
}

static void check_column(const struct column *got, size_t c)
{
    size_t n = 0, wides = 0, missing = 0, bad = 0;
    const size_t size = dtype_info(got->dtype)->size;
    for (size_t r = 0; r < rows; r++) {
        const uint64_t bits = want[r][c].bits;
        switch (want[r][c].cell) {
        case CSV_CELL_NUMBER:
        case CSV_CELL_ROUNDED:
            check(n < got->n && (got->rows ? got->rows[n] : n) == r &&
                      memcmp((const char *)got->values + n * size, &bits,
                             size) == 0,
                  "another value", r, c);
            n++;
            break;
        case CSV_CELL_WIDE:
        case CSV_CELL_WIDE_MINUS:
            check(wides < got->wides && got->wide[wides].index == r &&
                      got->wide[wides].magnitude == bits &&
                      got->wide[wides].negative ==
                          (want[r][c].cell == CSV_CELL_WIDE_MINUS),
                  "another integer", r, c);
            wides++;
            break;
        case CSV_CELL_MISSING:
            missing++;
            break;
        default:
            check(bad < got->bad && got->bad_rows[bad] == r, "not bad", r, c);
            bad++;
        }
    }
    check(got->n == n && got->wides == wides, "more numbers", rows, c);
    check(got->missing == missing && got->bad == bad, "other counts", rows, c);
}

static void check_loops(const struct csv_spec *spec,
                        const struct csv_table *table, bool portable)
{
    const struct csv_text all = {text, bytes, 1, table, "t"};
    struct error e = {.text = ""};
    struct csv_decoder *d = csv_decoder_new(spec, portable, &e);
    size_t found;
    if (!d || !csv_decode_begin(d, &all, &found, &e))
        abort();
    if (found != rows)
        wrong("cells", "another number of rows", "that of the reader");
    for (size_t c = 0; c < COLUMNS; c++) {
        struct column column;
        csv_decode_column(d, c, &column);
        check_column(&column, c);
    }
    if (!csv_decode_end(d, &e))
        wrong("cells", e.text, "no error");
    csv_decoder_free(d);
}

void run_cells(const struct target *t, const unsigned char *p, size_t n)
{
    static const enum dtype dtypes[] = {DTYPE_f64, DTYPE_f32, DTYPE_i64,
                                        DTYPE_i32, DTYPE_u8,  DTYPE_u64,
                                        DTYPE_i16, DTYPE_f64};
    static const char *const words[] = {"NA", ".,-,NA", "999,-99.9",
                                        "\"-99,9\",$,(5"};
    static uint32_t field_of[COLUMNS] = {0, 1};
    static char *names[COLUMNS] = {"a", "b"};
    (void)t;
    if (n < 2)
        return;
    /* Byte 1: bits 0 to 2 are the type, 3 and 4 the missing words. */
    struct csv_spec spec = {
        .dtype = dtypes[p[1] & 7], .skip_bad = true, .round_wide = p[1] & 64};
    spec.is_bool = spec.dtype == DTYPE_u8 && p[1] & 32;
    struct csv_table table = {.dialect = csv_dialect_of(';'),
                              .fields = COLUMNS,
                              .columns = COLUMNS,
                              .name = names,
                              .field_of = field_of};
    struct error e;
    table.dialect.quotes = p[0] & 128;
    if (!csv_words_init(&spec.words, words[p[1] >> 3 & 3], &e) ||
        !choose_notation(&spec.notation, p[0]))
        return;
    make_text(p + 2, n - 2, table.dialect.quotes);
    read_cells(&spec, table.dialect);
    check_loops(&spec, &table, true);
    check_loops(&spec, &table, false);
}
