/* SPDX-License-Identifier: MIT */
#include "csv/schema/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "csv/schema/names.h"
#include "csv/schema/seek.h"

void csv_select_field(struct csv_table *table, size_t field)
{
    if (csv_is_taken(table, field))
        return;
    table->taken[field / 8] |= (unsigned char)(1u << field % 8);
    table->field_of[table->columns++] = (uint32_t)field;
}

/* Reports an ambiguous name, with the numbers of the columns that have it. */
static bool ambiguous(struct csv_table *table, const struct csv_choice *choice,
                      struct csv_span name, struct error *e)
{
    enum { SHOWN = 5 };
    char b[QUOTE_MAX], numbers[SHOWN * 24 + 16];
    size_t used = 0, found = 0;
    if (!csv_names_read(table, choice->first, true, e))
        return false;
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
    return error_named(e, ERROR_USAGE, choice->file,
                       "column name %s is ambiguous; select it by number: "
                       "%s",
                       quote_bytes(b, name.at, name.bytes), numbers);
}

static bool unknown(struct csv_table *table, const struct csv_choice *choice,
                    struct csv_span name, struct error *e)
{
    char b[QUOTE_MAX], near[TEXT_SUGGEST_MAX] = "";
    if (!csv_names_read(table, choice->first, true, e))
        return false;
    char *word = table->has_header ? strndup(name.at, name.bytes) : NULL;
    if (word)
        text_suggest(near, "", word, csv_names_next, table);
    error_named(e, ERROR_USAGE, choice->file,
                "there is no column %s (it has %zu column%s%s)%s",
                quote_bytes(b, name.at, name.bytes), table->fields,
                table->fields == 1 ? "" : "s",
                table->has_header ? "" : " without a header", near);
    free(word);
    return false;
}

/* Reads decimal digits at *p, and moves *p after them. */
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

/* Reads "5", "5-7" or "5-": field numbers, from 1 on. */
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

static bool add_item(struct csv_table *table, const struct csv_choice *choice,
                     const struct csv_sought *item, struct error *e)
{
    uint64_t from, to;
    if (item->found > 1)
        return ambiguous(table, choice, item->name, e);
    if (item->found == 1) {
        csv_select_field(table, item->field);
        return true;
    }
    if (!read_range(item->name, table->fields, &from, &to))
        return unknown(table, choice, item->name, e);
    for (uint64_t i = from; i <= to; i++)
        csv_select_field(table, (size_t)i - 1);
    return true;
}

bool csv_select_list(struct csv_table *table, const struct csv_choice *choice,
                     const char *option, const char *list, struct error *e)
{
    struct csv_list l;
    bool ok = csv_list_open(&l, table, choice->first, option, list, e);
    for (size_t i = 0; ok && i < l.n; i++)
        ok = add_item(table, choice, &l.sought[i], e);
    csv_list_close(&l);
    return ok;
}

bool csv_exclude_list(struct csv_table *table, const struct csv_choice *choice,
                      const char *list, struct error *e)
{
    bool ok = csv_select_list(table, choice, "exclude", list, e);
    table->columns = 0;
    return ok;
}

static bool moved(const char *file, size_t number, struct csv_span name,
                  struct error *e)
{
    char b[QUOTE_MAX];
    return error_named(
        e, ERROR_USAGE, file,
        "column %zu is not called %s as in the first file, "
        "where several are; select the columns by number, or give "
        "--per-file",
        number, quote_bytes(b, name.at, name.bytes));
}

/* Moves *field from a field of `like` to the field of this table with the same
 * name, or to table->fields if there is none. A name that occurs twice in
 * `like` must have the same number here. False: that fails, or the name is
 * ambiguous here. */
static bool find_again(const struct csv_table *table,
                       const struct csv_sought *here, bool is_twice,
                       size_t *field)
{
    if (!is_twice) {
        *field = here->found > 0 ? here->field : table->fields;
        return here->found <= 1;
    }
    if (*field >= table->fields)
        return false;
    return csv_span_same(csv_name(table, *field), here->name);
}

/* Adds the field that corresponds to column c of `like`: by number or, if
 * by_name, by name, where `here` is the name's place in this table. */
static bool add_again(struct csv_table *table, const struct csv_choice *choice,
                      const struct csv_table *like, size_t c,
                      const struct csv_sought *here, bool by_name,
                      bool is_twice, struct error *e)
{
    size_t field = like->field_of[c];
    if (by_name && !find_again(table, here, is_twice, &field))
        return here->found > 1
                   ? ambiguous(table, choice, here->name, e)
                   : moved(choice->file, like->field_of[c] + 1, here->name, e);
    if (field >= table->fields)
        return unknown(table, choice, here->name, e);
    if (csv_is_taken(table, field))
        return ambiguous(table, choice, here->name, e);
    csv_select_field(table, field);
    return true;
}

/* Finds the names of the columns of `like`: in this table (here) and in `like`
 * itself (there). Both arrays have csv_columns(like) entries. */
static bool seek_both(struct csv_table *table, const struct csv_choice *choice,
                      const struct csv_table *like, struct csv_sought *here,
                      struct csv_sought *there, struct error *e)
{
    const struct csv_span none = {NULL, 0};
    bool is_twice = false, ok = true;
    for (size_t c = 0; c < csv_columns(like); c++)
        here[c].name = there[c].name = csv_name(like, like->field_of[c]);
    if (!table->has_header || !like->has_header)
        return true;
    if (like->names_all)
        ok = csv_names_seek(like, none, there, csv_columns(like));
    for (size_t c = 0; ok && c < csv_columns(like); c++) {
        if (!like->names_all)
            there[c].found = 1 + like->is_twice[c];
        is_twice |= there[c].found > 1;
    }
    if (!ok || !csv_names_seek(table, choice->first, here, csv_columns(like)))
        return error_memory(e);
    /* find_again compares a name that occurs twice with that of one field. */
    return !is_twice || csv_names_read(table, choice->first, true, e);
}

bool csv_select_like(struct csv_table *table, const struct csv_choice *choice,
                     const struct csv_table *like, struct error *e)
{
    struct csv_sought *here = calloc(2 * csv_columns(like) + 1, sizeof *here);
    struct csv_sought *there = here + csv_columns(like);
    bool by_name = table->has_header && like->has_header;
    if (!here)
        return error_memory(e);
    bool ok = seek_both(table, choice, like, here, there, e);
    for (size_t c = 0; ok && c < csv_columns(like); c++)
        ok = add_again(table, choice, like, c, &here[c], by_name,
                       there[c].found > 1, e);
    table->columns -= ok ? like->inputs : 0;
    table->inputs = like->inputs;
    free(here);
    return ok;
}
