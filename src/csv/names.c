/* SPDX-License-Identifier: MIT */
#include "csv/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(struct error *e)
{
    return error_set(e, ERROR_DATA, "out of memory");
}

/* The text of a cell of the header: without the blanks around it, and without
 * its quotes even where more follows them. */
static struct csv_span name_of(struct csv_span field,
                               struct csv_dialect dialect, char *room)
{
    struct csv_span content;
    if (!csv_content(field, dialect, room, &content)) {
        field = content;
        csv_undo_quotes(field, dialect, room, &content);
    }
    return content;
}

/* Bytes that all names need at most, with their NULs. */
static size_t names_room(const struct csv_table *table,
                         const struct csv_fields *first)
{
    size_t bytes = 1;
    for (size_t i = 0; i < first->n; i++)
        bytes += 1 + (table->has_header ? first->at[i].bytes : 20);
    return bytes;
}

bool csv_names_read(struct csv_table *table, const struct csv_fields *first,
                    struct error *e)
{
    table->fields = first->n;
    table->name = calloc(first->n + 1, sizeof *table->name);
    table->column_of = malloc((first->n + 1) * sizeof *table->column_of);
    char *to = table->names = malloc(names_room(table, first));
    if (!table->name || !table->column_of || !table->names)
        return no_memory(e);
    for (size_t i = 0; i < first->n; i++) {
        table->name[i] = to;
        table->column_of[i] = CSV_NO_COLUMN;
        if (table->has_header) {
            struct csv_span name = name_of(first->at[i], table->dialect, to);
            memmove(to, name.at, name.bytes);
            to += name.bytes;
        } else {
            to += snprintf(to, 21, "%zu", i + 1);
        }
        *to++ = '\0';
    }
    table->name[first->n] = to;
    size_t used = (size_t)(to - table->names);
    char *fitted = realloc(table->names, used + 1);
    for (size_t i = 0; fitted && i <= first->n; i++)
        table->name[i] = fitted + (table->name[i] - table->names);
    table->names = fitted ? fitted : table->names;
    return true;
}

struct csv_span csv_name(const struct csv_table *table, size_t field)
{
    const char *at = table->name[field];
    return (struct csv_span){at, (size_t)(table->name[field + 1] - at) - 1};
}

static size_t names_bytes(const struct csv_table *table)
{
    return (size_t)(table->name[table->fields] - table->name[0]);
}

bool csv_names_same(const struct csv_table *a, const struct csv_table *b)
{
    return a->fields > 0 && a->fields == b->fields &&
           a->has_header == b->has_header && names_bytes(a) == names_bytes(b) &&
           memcmp(a->name[0], b->name[0], names_bytes(a)) == 0;
}

/* FNV-1a. */
static uint64_t hash(struct csv_span text)
{
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < text.bytes; i++)
        h = (h ^ (unsigned char)text.at[i]) * 0x100000001b3;
    return h ^ h >> 32;
}

/* The slot that has the name, or the free one where it belongs. */
static size_t slot_of(const struct csv_index *index, struct csv_span name)
{
    size_t i = (size_t)hash(name) & index->mask;
    for (; index->slot[i] != CSV_NO_COLUMN; i = (i + 1) & index->mask) {
        struct csv_span other = csv_name(index->table, index->slot[i]);
        if (other.bytes == name.bytes &&
            memcmp(other.at, name.at, name.bytes) == 0)
            break;
    }
    return i;
}

bool csv_index_make(struct csv_index *index, const struct csv_table *table)
{
    size_t room = 8;
    while (room < 2 * table->fields)
        room *= 2;
    *index = (struct csv_index){table, malloc(room * sizeof *index->slot),
                                room - 1, calloc(table->fields + 1, 1)};
    if (!index->slot || !index->is_twice)
        return false;
    memset(index->slot, 0xff, room * sizeof *index->slot);
    for (size_t i = 0; i < table->fields; i++) {
        size_t slot = slot_of(index, csv_name(table, i));
        if (index->slot[slot] == CSV_NO_COLUMN)
            index->slot[slot] = (uint32_t)i;
        else
            index->is_twice[index->slot[slot]] = true;
    }
    return true;
}

void csv_index_free(struct csv_index *index)
{
    free(index->slot);
    free(index->is_twice);
    *index = (struct csv_index){.slot = NULL};
}

enum csv_found csv_index_find(const struct csv_index *index,
                              struct csv_span name, size_t *field)
{
    size_t slot = slot_of(index, name);
    if (index->slot[slot] == CSV_NO_COLUMN)
        return CSV_FOUND_NONE;
    *field = index->slot[slot];
    return index->is_twice[*field] ? CSV_FOUND_SEVERAL : CSV_FOUND_ONE;
}

bool csv_list_split(const char *option, const char *list,
                    struct csv_fields *items, struct error *e)
{
    const struct csv_span text = {list, strlen(list)};
    size_t at = 0;
    enum csv_record found =
        csv_record_next(text, &at, csv_dialect_of(','), true, items);
    if (found == CSV_RECORD_NO_MEMORY)
        return no_memory(e);
    /* Nor may more lines follow it. */
    return (found == CSV_RECORD_OK && at == text.bytes) ||
           error_set(e, ERROR_USAGE, "--%s needs a list such as price,3,5-7",
                     option);
}

struct csv_span csv_list_item(struct csv_span item, char *room)
{
    return name_of(item, csv_dialect_of(','), room);
}

static bool is_digits(struct csv_span s)
{
    for (size_t i = 0; i < s.bytes; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
    }
    return s.bytes > 0;
}

/* Whether the text is so great a number that it is no field's. */
static bool exceeds(struct csv_span digits, size_t fields)
{
    size_t number = 0;
    for (size_t i = 0; i < digits.bytes && number <= fields; i++)
        number = 10 * number + (size_t)(digits.at[i] - '0');
    return number > fields;
}

static bool list_proves(const struct csv_index *names, const char *option,
                        const char *list, bool *proved)
{
    struct csv_fields items = {NULL, 0, 0};
    struct error e = {.kind = ERROR_NONE};
    char *room = malloc(strlen(list) + 1);
    bool ok = room;
    /* A list that is none is told when columns are chosen. */
    if (ok && csv_list_split(option, list, &items, &e)) {
        for (size_t i = 0; i < items.n && !*proved; i++) {
            size_t field;
            struct csv_span item = csv_list_item(items.at[i], room);
            bool is_name =
                item.bytes > 0 &&
                (!is_digits(item) || exceeds(item, names->table->fields));
            *proved = is_name &&
                      csv_index_find(names, item, &field) != CSV_FOUND_NONE;
        }
    }
    csv_fields_free(&items);
    free(room);
    return ok;
}

static bool like_proves(const struct csv_index *names,
                        const struct csv_table *like)
{
    size_t field;
    for (size_t c = 0; c < like->columns; c++) {
        if (csv_index_find(names, csv_name(like, like->field_of[c]), &field) ==
            CSV_FOUND_NONE)
            return false;
    }
    return like->columns > 0;
}

bool csv_proves_header(const struct csv_fields *first,
                       struct csv_dialect dialect,
                       const struct csv_wishes *wishes,
                       const struct csv_table *like, bool *proved)
{
    struct csv_table table = {.dialect = dialect, .has_header = true};
    struct csv_index names = {.slot = NULL};
    bool is_like = like && like->has_header;
    *proved = false;
    if (!wishes->columns && !wishes->exclude && !is_like)
        return true;
    bool ok =
        csv_names_read(&table, first, NULL) && csv_index_make(&names, &table);
    if (ok && wishes->columns)
        ok = list_proves(&names, "columns", wishes->columns, proved);
    if (ok && wishes->exclude && !*proved)
        ok = list_proves(&names, "exclude", wishes->exclude, proved);
    if (ok && is_like && !*proved)
        *proved = like_proves(&names, like);
    csv_index_free(&names);
    csv_table_free(&table);
    return ok;
}
