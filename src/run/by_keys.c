/* SPDX-License-Identifier: MIT */
/* The texts of keys: how they are read for sorting and shown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by/element.h"
#include "csv/cell/cell.h"
#include "csv/schema/names.h"
#include "formula/formula.h"
#include "reduce/float_format.h"
#include "run/by.h"

struct csv_span by_key_name(const struct by_rows *rows, size_t column)
{
    const struct csv_table *t = rows->table;
    if (!t)
        return (struct csv_span){"key", strlen("key")};
    return csv_name(t, t->field_of[t->key_of[column]]);
}

bool by_key_is_number(const struct by_rows *rows, size_t column)
{
    return !rows->table || rows->groups->layout.spec.computed >> column & 1;
}

/* The value of a text that formula/keys.c wrote. */
static struct value computed_value(struct text_cell text)
{
    char number[FORMULA_KEY_MAX + 1] = "";
    memcpy(number, text.at,
           text.bytes < FORMULA_KEY_MAX ? text.bytes : FORMULA_KEY_MAX);
    const bool is_negative = number[0] == '-';
    if (number[strspn(number, "-0123456789")])
        return value_real(strtod(number, NULL), DTYPE_f64);
    return value_integer(is_negative, strtoull(number + is_negative, NULL, 10),
                         0);
}

struct text_cell by_row_key(const struct by_rows *rows, size_t row,
                            size_t column, bool is_json, struct by_text *room)
{
    const struct text_cell text = order_text(
        rows->groups, &rows->order.item[row / rows->columns], column);
    if (!by_key_is_number(rows, column) || text.bytes == 0)
        return text;
    const struct value value =
        rows->table ? computed_value(text) : element_value(rows->dtype, text);
    const size_t n =
        is_json ? number_json(room->at, &value) : number_text(room->at, &value);
    return (struct text_cell){room->at, (uint32_t)n, 0};
}

const char *by_row_name(char out[BY_NAME_MAX], const struct by_rows *rows,
                        size_t row)
{
    char quoted[QUOTE_MAX];
    struct by_text room;
    size_t used = 0;
    out[0] = '\0';
    for (size_t k = 0; k < rows->keys && used < BY_NAME_MAX; k++) {
        const struct text_cell key = by_row_key(rows, row, k, false, &room);
        used += (size_t)snprintf(out + used, BY_NAME_MAX - used, "%s%s",
                                 k ? ", " : "",
                                 quote_bytes(quoted, key.at, key.bytes));
    }
    return out;
}

/* Whether the text is an integer of few digits, which f64 holds. */
static bool is_short_integer(struct text_cell text, double *value)
{
    enum { MOST = 15 };
    bool is = text.bytes <= MOST;
    uint64_t x = 0;
    for (uint32_t i = 0; is && i < text.bytes; i++) {
        const unsigned digit = (unsigned char)text.at[i] - '0';
        is = digit < 10;
        x = 10 * x + digit;
    }
    *value = (double)x;
    return is;
}

/* The number of a cell of f64. */
static struct key_number number_of(enum csv_cell cell, uint64_t bits)
{
    if (cell != CSV_CELL_WIDE && cell != CSV_CELL_WIDE_MINUS)
        return (struct key_number){double_of_bits(bits), 0};
    const double nearest = (double)bits; /* up to 2^64 */
    const int64_t rest = (int64_t)((__int128)bits - (__int128)nearest);
    return cell == CSV_CELL_WIDE ? (struct key_number){nearest, rest}
                                 : (struct key_number){-nearest, -rest};
}

static enum key_class classify(const void *reader, size_t column,
                               struct text_cell text, struct key_number *number)
{
    const struct by_reader *r = reader;
    const struct csv_spec *spec = &r->spec[r->computed >> column & 1];
    const struct csv_span span = {text.at, text.bytes};
    uint64_t bits = 0;
    number->rest = 0;
    if (!spec->notation.used && is_short_integer(text, &number->nearest))
        return KEY_NUMBER;
    const enum csv_cell cell = csv_cell_read(spec, r->dialect, span, &bits);
    if (!csv_cell_is_number(cell))
        return KEY_TEXT;
    *number = number_of(cell, bits);
    return isnan(number->nearest) ? KEY_NAN : KEY_NUMBER;
}

classify_fn *by_reader_open(struct by_reader *r, const struct plan *plan,
                            const struct by_rows *rows)
{
    if (!rows->table)
        return NULL;
    r->dialect = rows->table->dialect;
    r->dialect.quotes = false;
    r->computed = rows->groups->layout.spec.computed;
    r->spec[0] = plan->csv.spec;
    r->spec[0].dtype = DTYPE_f64;
    r->spec[0].is_bool = false;
    r->spec[0].words.n = 0;
    r->spec[1] = r->spec[0];
    r->spec[1].notation = (struct csv_notation){.decimal = '.'};
    return classify;
}
