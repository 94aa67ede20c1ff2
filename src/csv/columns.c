/* SPDX-License-Identifier: MIT */
#include "csv/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "csv/offence.h"
#include "csv/record.h"

/* Adds a field to the columns, once. */
static void add(struct csv_table *table, size_t field)
{
    if (table->column_of[field] != CSV_NO_COLUMN)
        return;
    table->column_of[field] = (uint32_t)table->columns;
    table->field_of[table->columns++] = (uint32_t)field;
}

static const char *field_name(size_t i, const void *context)
{
    const struct csv_table *table = context;
    return i < table->fields ? table->name[i] : NULL;
}

/* The field of that name: fields where there is none; false, where several. */
static bool find_name(const struct csv_table *table, const char *name,
                      size_t *field)
{
    *field = table->fields;
    for (size_t i = 0; table->has_header && i < table->fields; i++) {
        if (strcmp(table->name[i], name) != 0)
            continue;
        if (*field < table->fields)
            return false;
        *field = i;
    }
    return true;
}

static bool ambiguous(const char *file, const char *name, struct error *e)
{
    char a[QUOTE_MAX], b[QUOTE_MAX];
    return error_set(e, ERROR_USAGE,
                     "%s: several columns are called %s: give the number of "
                     "one",
                     quote(a, file), quote(b, name));
}

static bool unknown(const struct csv_table *table, const char *file,
                    const char *name, struct error *e)
{
    char a[QUOTE_MAX], b[QUOTE_MAX], c[QUOTE_MAX] = "";
    const char *near =
        table->has_header ? text_nearest(name, field_name, table) : NULL;
    return error_set(e, ERROR_USAGE,
                     "%s: there is no column %s (it has %zu column%s%s)%s%s%s",
                     quote(a, file), quote(b, name), table->fields,
                     table->fields == 1 ? "" : "s",
                     table->has_header ? "" : " without a header",
                     near ? "; did you mean " : "", near ? quote(c, near) : "",
                     near ? "?" : "");
}

/* "5", "5-7" or "5-": numbers from 1. */
static bool read_range(const char *item, size_t fields, uint64_t *from,
                       uint64_t *to)
{
    char first[32];
    size_t n = strcspn(item, "-");
    if (n >= sizeof first)
        return false;
    memcpy(first, item, n);
    first[n] = '\0';
    *to = fields;
    return text_to_u64(first, from) &&
           (item[n] == '\0'       ? (*to = *from, true)
            : item[n + 1] == '\0' ? true
                                  : text_to_u64(item + n + 1, to)) &&
           *from >= 1 && *from <= *to && *to <= fields;
}

static bool add_item(struct csv_table *table, const char *file,
                     const char *item, struct error *e)
{
    size_t field;
    uint64_t from, to;
    if (!find_name(table, item, &field))
        return ambiguous(file, item, e);
    if (field < table->fields) {
        add(table, field);
        return true;
    }
    if (!read_range(item, table->fields, &from, &to))
        return unknown(table, file, item, e);
    for (uint64_t i = from; i <= to; i++)
        add(table, (size_t)i - 1);
    return true;
}

/* The list is a record of its own. */
static bool add_list(struct csv_table *table, const char *file,
                     const char *list, struct error *e)
{
    struct csv_span text = {list, strlen(list)};
    struct csv_fields items = {NULL, 0, 0};
    char *room = malloc(text.bytes + 1);
    size_t at = 0;
    enum csv_record found = csv_record_next(
        text, &at, csv_dialect_of(','), true, &items);
    /* Nor may more lines follow it. */
    bool ok = room && found == CSV_RECORD_OK && at == text.bytes;
    if (!room || found == CSV_RECORD_NO_MEMORY)
        error_set(e, ERROR_DATA, "out of memory");
    else if (!ok)
        error_set(e, ERROR_USAGE, "--columns needs a list such as price,3,5-7");
    for (size_t i = 0; ok && i < items.n; i++) {
        struct csv_span item;
        csv_undo_quotes(items.at[i], csv_dialect_of(','), room, &item);
        memmove(room, item.at, item.bytes);
        room[item.bytes] = '\0';
        ok = add_item(table, file, room, e);
    }
    csv_fields_free(&items);
    free(room);
    return ok;
}

/* The field that is called as *field of `like` is. A name that stands twice
 * there has to be in its place here. */
static bool find_again(const struct csv_table *table,
                       const struct csv_table *like, const char *name,
                       size_t *field)
{
    size_t any;
    if (find_name(like, name, &any))
        return find_name(table, name, field);
    return *field < table->fields && strcmp(table->name[*field], name) == 0;
}

/* The columns of the dataset's first input, by name where both have names. */
static bool add_like(struct csv_table *table, const char *file,
                     const struct csv_table *like, struct error *e)
{
    /* Without a record there is nothing to find, and nothing to reduce. */
    for (size_t c = 0; table->fields > 0 && c < like->columns; c++) {
        size_t field = like->field_of[c];
        const char *name = like->name[field];
        if (table->has_header && like->has_header &&
            !find_again(table, like, name, &field))
            return ambiguous(file, name, e);
        if (field >= table->fields)
            return unknown(table, file, name, e);
        if (table->column_of[field] != CSV_NO_COLUMN)
            return ambiguous(file, name, e);
        add(table, field);
    }
    return true;
}

enum { IS_NUMERIC = 1, IS_NOT = 2 };

/* False where there is no memory to judge by. */
static bool judge(const struct csv_fields *record,
                  struct csv_dialect dialect, size_t fields,
                  const struct csv_spec *spec, unsigned char *seen)
{
    uint64_t bits;
    for (size_t i = 0; i < fields && i < record->n; i++) {
        if (seen[i] & IS_NOT)
            continue;
        enum csv_cell cell = csv_cell_read(spec, dialect, record->at[i], &bits);
        if (cell == CSV_CELL_NO_MEMORY)
            return false;
        if (cell != CSV_CELL_MISSING)
            seen[i] |= cell == CSV_CELL_NUMBER ? IS_NUMERIC : IS_NOT;
    }
    return true;
}

/* The quote that is open at the end of the data, in the record at `at`. */
static bool never_closed(const struct csv_table *table, const char *file,
                         struct csv_span rest, size_t at, struct error *e)
{
    const struct csv_span before = {rest.at, at};
    const struct csv_span record = {rest.at + at, rest.bytes - at};
    return csv_never_closed(file, table->dialect,
                            table->line + csv_lines(before, table->dialect), record,
                            e);
}

/* Every column whose cells in the sample are numbers, by what f64 takes: a
 * --dtype that does not suit them shall say so, not hide them. */
static bool add_numeric(struct csv_table *table, const char *file,
                        struct csv_span rest, bool is_all,
                        const struct csv_wishes *wishes, struct error *e)
{
    struct csv_spec spec = wishes->spec;
    struct csv_fields record = {NULL, 0, 0};
    unsigned char *seen = calloc(table->fields + 1, 1);
    char quoted[QUOTE_MAX];
    size_t at = 0;
    if (!seen)
        return error_set(e, ERROR_DATA, "out of memory");
    spec.dtype = DTYPE_f64;
    enum csv_record found;
    bool ok = true;
    while (ok && (found = csv_record_next(rest, &at, table->dialect, is_all,
                                          &record)) == CSV_RECORD_OK)
        ok = judge(&record, table->dialect, table->fields, &spec, seen);
    ok = ok && found != CSV_RECORD_NO_MEMORY;
    for (size_t i = 0; i < table->fields; i++) {
        if (seen[i] == IS_NUMERIC)
            add(table, i);
    }
    csv_fields_free(&record);
    free(seen);
    if (!ok)
        return error_set(e, ERROR_DATA, "out of memory");
    if (table->columns > 0)
        return true;
    if (found == CSV_RECORD_OPEN)
        return never_closed(table, file, rest, at, e);
    return error_set(e, ERROR_DATA,
                     "%s: no column of numbers in its first records\n"
                     "Choose columns with --columns, or another --delimiter.",
                     quote(quoted, file));
}

bool csv_choose(struct csv_table *table, const char *name, struct csv_span rest,
                bool is_all, const struct csv_wishes *wishes,
                const struct csv_table *like, struct error *e)
{
    table->field_of = malloc((table->fields + 1) * sizeof *table->field_of);
    if (!table->field_of)
        return error_set(e, ERROR_DATA, "out of memory");
    if (like)
        return add_like(table, name, like, e);
    if (table->fields == 0 && !wishes->columns)
        return true; /* no records: counts and sums are 0 all the same */
    if (wishes->spec.rows_only && !wishes->columns) {
        add(table, 0);
        return true;
    }
    if (wishes->columns)
        return add_list(table, name, wishes->columns, e);
    return add_numeric(table, name, rest, is_all, wishes, e);
}
