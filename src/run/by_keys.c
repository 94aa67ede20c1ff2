/* SPDX-License-Identifier: MIT */
/* The texts of keys: how they are read for sorting and shown. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "by/element.h"
#include "csv/cell/cell.h"
#include "csv/schema/names.h"
#include "reduce/float_format.h"
#include "run/by.h"

struct csv_span by_key_name(const struct by_rows *rows, size_t column)
{
    const struct csv_table *t = rows->table;
    if (!t)
        return (struct csv_span){"key", strlen("key")};
    return csv_name(t, t->field_of[t->key_of[column]]);
}

struct text_cell by_row_key(const struct by_rows *rows, size_t row,
                            size_t column, bool is_json, struct by_text *room)
{
    const struct text_cell text = order_text(
        rows->groups, &rows->order.item[row / rows->columns], column);
    if (rows->table)
        return text;
    const struct value value = element_value(rows->dtype, text);
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

static enum key_class classify(const void *reader, struct text_cell text,
                               struct key_number *number)
{
    const struct by_reader *r = reader;
    const struct csv_span span = {text.at, text.bytes};
    uint64_t bits = 0;
    number->rest = 0;
    if (!r->spec.notation.used && is_short_integer(text, &number->nearest))
        return KEY_NUMBER;
    const enum csv_cell cell = csv_cell_read(&r->spec, r->dialect, span, &bits);
    if (!csv_cell_is_number(cell))
        return KEY_TEXT;
    *number = number_of(cell, bits);
    return isnan(number->nearest) ? KEY_NAN : KEY_NUMBER;
}

classify_fn *by_reader_open(struct by_reader *r, const struct plan *plan,
                            const struct csv_table *table)
{
    if (!table)
        return NULL;
    *r = (struct by_reader){plan->csv.spec, table->dialect};
    r->spec.dtype = DTYPE_f64;
    r->spec.is_bool = false;
    r->spec.words.n = 0;
    r->dialect.quotes = false;
    return classify;
}
