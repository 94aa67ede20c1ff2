/* SPDX-License-Identifier: MIT */
/* The expected message of each error, with its place. */
#include <inttypes.h>
#include <stdio.h>

#include "base/quote.h"
#include "text_writer.h"

enum { SHOWN = 80 };

static uint64_t line_of(const struct text_chunk *c, size_t at, size_t *column)
{
    uint64_t line = c->line;
    size_t begin = 0;
    for (size_t i = 0; i < at; i++) {
        if (c->text.at[i] == '\n') {
            line++;
            begin = i + 1;
        }
    }
    *column = at - begin + 1;
    return line;
}

void note_ragged(struct writer *w, size_t fields)
{
    struct text_chunk *c = w->c;
    char name[QUOTE_MAX];
    size_t column;
    uint64_t line = line_of(c, c->text.n, &column);
    c->wrong = WRONG_RAGGED;
    snprintf(c->error, sizeof c->error,
             "%s:%" PRIu64 ": %zu field%s where the first record has %zu",
             escape(name, c->shape->input.name), line, fields,
             fields == 1 ? "" : "s", w->table->fields);
}

void note_wrong_cell(struct writer *w, size_t field, size_t start,
                     bool has_tail)
{
    struct text_chunk *c = w->c;
    char name[QUOTE_MAX], column_name[QUOTE_MAX], shown[QUOTE_MAX];
    size_t column, n = has_tail ? c->text.n - start : w->cell.n;
    uint64_t line = line_of(c, start, &column);
    enum dtype dtype = c->text_case->dtype;
    escape(name, c->shape->input.name);
    escape(column_name, w->table->name[field]);
    quote_bytes(shown, has_tail ? c->text.at + start : w->cell.text,
                n < SHOWN ? n : SHOWN);
    c->wrong = c->text.n - start > CSV_FIELD_MAX ? WRONG_TOO_LONG
               : w->cell.kind == CELL_MISSING    ? WRONG_MISSING
                                                 : WRONG_BAD;
    if (c->wrong == WRONG_TOO_LONG)
        snprintf(c->error, sizeof c->error,
                 "%s:%" PRIu64 ":%zu: a field of over %d bytes (column %s)",
                 name, line, column, 1 << 20, column_name);
    else if (c->wrong == WRONG_MISSING)
        snprintf(c->error, sizeof c->error,
                 "%s:%" PRIu64 ":%zu: missing value (column %s)", name, line,
                 column, column_name);
    else
        snprintf(
            c->error, sizeof c->error,
            "%s:%" PRIu64 ":%zu: not %s: %s%s (column %s)", name, line, column,
            dtype_is_float(dtype) ? "a number" : dtype_info(dtype)->long_name,
            shown, n > SHOWN ? "..." : "", column_name);
}
