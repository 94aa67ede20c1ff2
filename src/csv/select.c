/* SPDX-License-Identifier: MIT */
#include "csv/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "csv/names.h"

void csv_select_field(struct csv_table *table, size_t field)
{
    if (table->column_of[field] != CSV_NO_COLUMN)
        return;
    table->column_of[field] = (uint32_t)table->columns;
    table->field_of[table->columns++] = (uint32_t)field;
}

/* Says which numbers tell the columns of one name apart. */
static bool ambiguous(const struct csv_table *table, const char *file,
                      struct csv_span name, struct error *e)
{
    enum { SHOWN = 5 };
    char a[QUOTE_MAX], b[QUOTE_MAX], numbers[SHOWN * 24 + 16];
    size_t used = 0, found = 0;
    for (size_t i = 0; i < table->fields && found <= SHOWN; i++) {
        struct csv_span other = csv_name(table, i);
        if (other.bytes != name.bytes ||
            memcmp(other.at, name.at, name.bytes) != 0)
            continue;
        used += (size_t)snprintf(numbers + used, sizeof numbers - used,
                                 found == SHOWN ? " ..." : "%s%zu",
                                 found ? " or " : "", i + 1);
        found++;
    }
    return error_set(e, ERROR_USAGE,
                     "%s: column name %s is ambiguous; select it by number: "
                     "%s",
                     quote(a, file), quote_bytes(b, name.at, name.bytes),
                     numbers);
}

static const char *field_name(size_t i, const void *context)
{
    const struct csv_table *table = context;
    return i < table->fields ? table->name[i] : NULL;
}

static bool unknown(const struct csv_table *table, const char *file,
                    struct csv_span name, struct error *e)
{
    char a[QUOTE_MAX], b[QUOTE_MAX], c[QUOTE_MAX] = "";
    char *word = table->has_header ? strndup(name.at, name.bytes) : NULL;
    const char *near = word ? text_nearest(word, field_name, table) : NULL;
    error_set(e, ERROR_USAGE,
              "%s: there is no column %s (it has %zu column%s%s)%s%s%s",
              quote(a, file), quote_bytes(b, name.at, name.bytes),
              table->fields, table->fields == 1 ? "" : "s",
              table->has_header ? "" : " without a header",
              near ? "; did you mean " : "", near ? quote(c, near) : "",
              near ? "?" : "");
    free(word);
    return false;
}

/* Decimal digits at *p, moved behind them. */
static bool read_number(const char **p, const char *end, uint64_t *value)
{
    const char *start = *p;
    char digits[24];
    while (*p < end && **p >= '0' && **p <= '9')
        ++*p;
    size_t n = (size_t)(*p - start);
    if (n >= sizeof digits)
        return false;
    memcpy(digits, start, n);
    digits[n] = '\0';
    return text_to_u64(digits, value);
}

/* "5", "5-7" or "5-": numbers from 1. */
static bool read_range(struct csv_span item, size_t fields, uint64_t *from,
                       uint64_t *to)
{
    const char *p = item.at, *end = item.at + item.bytes;
    if (!read_number(&p, end, from))
        return false;
    *to = *from;
    if (p < end) {
        if (*p++ != '-')
            return false;
        *to = fields;
        if (p < end && !read_number(&p, end, to))
            return false;
    }
    return p == end && *from >= 1 && *from <= *to && *to <= fields;
}

static bool add_item(struct csv_table *table, const struct csv_index *index,
                     const char *file, struct csv_span item, struct error *e)
{
    size_t field;
    uint64_t from, to;
    enum csv_found found = table->has_header
                               ? csv_index_find(index, item, &field)
                               : CSV_FOUND_NONE;
    if (found == CSV_FOUND_SEVERAL)
        return ambiguous(table, file, item, e);
    if (found == CSV_FOUND_ONE) {
        csv_select_field(table, field);
        return true;
    }
    if (!read_range(item, table->fields, &from, &to))
        return unknown(table, file, item, e);
    for (uint64_t i = from; i <= to; i++)
        csv_select_field(table, (size_t)i - 1);
    return true;
}

bool csv_select_list(struct csv_table *table, const char *file,
                     const char *option, const char *list, struct error *e)
{
    struct csv_fields items = {NULL, 0, 0};
    struct csv_index index = {.slot = NULL};
    char *room = malloc(strlen(list) + 1);
    bool ok = csv_list_split(option, list, &items, e);
    if (ok && (!room || !csv_index_make(&index, table)))
        ok = error_set(e, ERROR_DATA, "out of memory");
    for (size_t i = 0; ok && i < items.n; i++)
        ok = add_item(table, &index, file, csv_list_item(items.at[i], room), e);
    csv_index_free(&index);
    csv_fields_free(&items);
    free(room);
    return ok;
}

bool csv_exclude_list(struct csv_table *table, const char *file,
                      const char *list, struct error *e)
{
    bool ok = csv_select_list(table, file, "exclude", list, e);
    for (size_t i = 0; i < table->columns; i++)
        table->column_of[table->field_of[i]] = CSV_EXCLUDED;
    table->columns = 0;
    return ok;
}

/* The field that is called as *field of `like` is. A name that stands twice
 * there has to be in its place here. */
static bool find_again(const struct csv_index *here,
                       const struct csv_index *there, size_t *field)
{
    size_t any;
    struct csv_span name = csv_name(there->table, *field), other;
    if (csv_index_find(there, name, &any) == CSV_FOUND_ONE) {
        enum csv_found found = csv_index_find(here, name, field);
        if (found == CSV_FOUND_NONE)
            *field = here->table->fields;
        return found != CSV_FOUND_SEVERAL;
    }
    if (*field >= here->table->fields)
        return false;
    other = csv_name(here->table, *field);
    return other.bytes == name.bytes &&
           memcmp(other.at, name.at, name.bytes) == 0;
}

static bool moved(const char *file, size_t number, struct csv_span name,
                  struct error *e)
{
    char a[QUOTE_MAX], b[QUOTE_MAX];
    return error_set(e, ERROR_USAGE,
                     "%s: column %zu is not called %s as in the first file, "
                     "where several are; select the columns by number, or give "
                     "--per-file",
                     quote(a, file), number,
                     quote_bytes(b, name.at, name.bytes));
}

static bool add_again(struct csv_table *table, const struct csv_index *here,
                      const struct csv_index *there, const char *file,
                      size_t wanted, struct error *e)
{
    struct csv_span name = csv_name(there->table, wanted);
    size_t field = wanted;
    if (table->has_header && there->table->has_header &&
        !find_again(here, there, &field)) {
        size_t any;
        return csv_index_find(here, name, &any) == CSV_FOUND_SEVERAL
                   ? ambiguous(table, file, name, e)
                   : moved(file, wanted + 1, name, e);
    }
    if (field >= table->fields)
        return unknown(table, file, name, e);
    if (table->column_of[field] != CSV_NO_COLUMN)
        return ambiguous(table, file, name, e);
    csv_select_field(table, field);
    return true;
}

bool csv_select_like(struct csv_table *table, const char *file,
                     const struct csv_table *like, struct error *e)
{
    struct csv_index here = {.slot = NULL}, there = {.slot = NULL};
    bool ok = true;
    if (!csv_index_make(&here, table) || !csv_index_make(&there, like))
        ok = error_set(e, ERROR_DATA, "out of memory");
    for (size_t c = 0; ok && c < like->columns; c++)
        ok = add_again(table, &here, &there, file, like->field_of[c], e);
    csv_index_free(&here);
    csv_index_free(&there);
    return ok;
}
