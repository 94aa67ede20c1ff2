/* SPDX-License-Identifier: MIT */
/* Prints results by key: a table with a line for each key, and the keys of an
 * element of JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "run/by.h"
#include "run/printer.h"

/* Whether the op counts records, so that it has one value for all columns. */
static bool is_plain(const struct op *op)
{
    return !op_reads_cells(op);
}

static char *append(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return to + bytes;
}

/* Prints "sum(price)" or "cov(price,qty)" as one name, so that a table can put
 * it in quotes. */
static void put_heading(struct printer *p, const struct answers_part *part,
                        size_t column, const struct op *op)
{
    const bool is_pair = part->pairing.kind != PAIRING_NONE;
    const struct column_pair pair = is_pair
                                        ? pairing_at(&part->pairing, column)
                                        : (struct column_pair){column, column};
    const struct csv_span a = dataset_column_name(part->names, pair.first),
                          b = dataset_column_name(part->names, pair.second);
    const size_t n = strlen(op->name);
    if (is_plain(op) || !a.at) {
        print_name(p, op->name, n);
        return;
    }
    char *const whole = malloc(n + a.bytes + b.bytes + 3), *to = whole;
    if (!whole) {
        p->to.failed = ENOMEM;
        return;
    }
    to = append(to, op->name, n);
    to = append(to, "(", 1);
    to = append(to, a.at, a.bytes);
    if (is_pair)
        to = append(append(to, ",", 1), b.at, b.bytes);
    to = append(to, ")", 1);
    print_name(p, whole, (size_t)(to - whole));
    free(whole);
}

void print_keys_header(struct printer *p, const struct answers_part *part)
{
    for (size_t k = 0; part->by && k < part->by->keys; k++) {
        const struct csv_span name = by_key_name(part->by, k);
        print_name(p, name.at, name.bytes);
    }
}

void print_keys(struct printer *p, const struct answers_part *part, size_t row)
{
    struct by_text room;
    for (size_t k = 0; k < part->by->keys; k++) {
        const struct text_cell key = by_row_key(part->by, row, k, false, &room);
        print_name(p, key.at, key.bytes);
    }
}

static void put_header(struct printer *p, const struct answers_part *part)
{
    const struct by_rows *by = part->by;
    if (p->by_file)
        print_cell(p, "file");
    if (p->by_part)
        print_cell(p, "name");
    print_keys_header(p, part);
    for (size_t c = 0; c < by->columns; c++) {
        for (size_t i = 0; i < p->ops && !answers_is_itself(part, c); i++) {
            if (c == 0 || !is_plain(p->op[i]))
                put_heading(p, part, c, p->op[i]);
        }
    }
    print_line_end(p);
}

bool print_same_keys(const struct answers_part *a, const struct answers_part *b)
{
    bool same = true;
    for (size_t k = 0; a->by && same && k < a->by->keys; k++)
        same = csv_span_same(by_key_name(a->by, k), by_key_name(b->by, k));
    return same;
}

/* Whether two parts have the same header. */
static bool same_header(const struct answers_part *a,
                        const struct answers_part *b)
{
    const size_t columns =
        a->pairing.kind ? a->pairing.columns : a->by->columns;
    bool same = a->by->columns == b->by->columns && print_same_keys(a, b);
    for (size_t c = 0; same && c < columns; c++)
        same = csv_span_same(dataset_column_name(a->names, c),
                             dataset_column_name(b->names, c));
    return same;
}

bool print_by_check(const struct answers *a, struct error *e)
{
    char file[QUOTE_MAX], first[QUOTE_MAX];
    for (size_t i = 1; i < a->parts; i++) {
        const struct answers_part *part = &a->part[i];
        const bool same_keys = print_same_keys(part, a->part);
        if (!part->by ||
            (same_keys && (a->plan->bins > 0 || same_header(part, a->part))))
            continue;
        return error_set(
            e, ERROR_DATA,
            same_keys ? "%s has other columns than %s, but -O csv and tsv have "
                        "one header\n"
                        "Name columns that all have with -c, or try -O json."
                      : "%s has other keys than %s, but -O csv and tsv have "
                        "one header\nTry -O json.",
            quote(file, part->input->name), quote(first, a->part->input->name));
    }
    return true;
}

static void put_row(struct printer *p, const struct answers_part *part,
                    size_t row)
{
    const struct by_rows *by = part->by;
    const size_t key = row / by->columns;
    if (by->order.item[key].place.bytes == 0)
        order_prefetch(by->groups, &by->order, key);
    if (p->by_file)
        print_file(p, part);
    if (p->by_part)
        print_part(p, part);
    print_keys(p, part, row);
    for (size_t c = 0; c < by->columns; c++) {
        for (size_t i = 0; i < p->ops && !answers_is_itself(part, c); i++) {
            if (c == 0 || !is_plain(p->op[i]))
                print_value(p, part, row + c, i);
        }
    }
    print_line_end(p);
}

/* Prints the lines of keys [first, end). */
static void put_keys(struct printer *p, const struct answers_part *part,
                     size_t first, size_t end)
{
    for (; first < end; first++)
        put_row(p, part, first * part->by->columns);
}

void print_by(struct printer *p, const struct answers_part *part)
{
    const struct by_rows *by = part->by;
    if (part == p->answers->part || !same_header(part, part - 1))
        put_header(p, part);
    print_lines(p, part, part->rows / by->columns,
                by->keys + by->columns * p->ops, put_keys);
}

void json_by(struct printer *p, const struct answers_part *part, size_t row)
{
    const struct by_rows *by = part->by;
    struct by_text room;
    writer_text(&p->to, "\"by\":{");
    for (size_t k = 0; k < by->keys; k++) {
        const struct csv_span name = by_key_name(by, k);
        const struct text_cell key = by_row_key(by, row, k, true, &room);
        writer_text(&p->to, k ? "," : "");
        writer_json(&p->to, name.at, name.bytes);
        writer_text(&p->to, ":");
        if (key.bytes == 0)
            writer_text(&p->to, "null");
        else if (by_key_is_number(by, k))
            writer_put(&p->to, key.at, key.bytes);
        else
            writer_json(&p->to, key.at, key.bytes);
    }
    writer_text(&p->to, "},");
}
