/* SPDX-License-Identifier: MIT */
#include "csv/schema/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "csv/schema/seek.h"

struct csv_span csv_name_of(struct csv_span field, struct csv_dialect dialect,
                            char *room)
{
    struct csv_span content;
    if (!csv_content(field, dialect, room, &content)) {
        field = content;
        csv_undo_quotes(field, dialect, room, &content);
    }
    return content;
}

/* A bit for each field whose name is kept; NULL: no memory. */
static unsigned char *kept_fields(const struct csv_table *table, bool all)
{
    const size_t bytes = table->fields / 8 + 1;
    unsigned char *kept = malloc(bytes);
    if (!kept)
        return NULL;
    memset(kept, all ? 0xff : 0, bytes);
    kept[0] |= 1;
    for (size_t c = 0; c < csv_columns(table); c++)
        kept[table->field_of[c] / 8] |=
            (unsigned char)(1u << table->field_of[c] % 8);
    return kept;
}

/* Writes the names of the kept fields to `names`; returns their end. */
static char *put_names(struct csv_table *table, struct csv_span first,
                       const unsigned char *kept)
{
    struct csv_walk walk = {.text = first, .dialect = table->dialect};
    struct csv_span field = {NULL, 0};
    char *to = table->names;
    for (size_t i = 0; i < table->fields; i++) {
        char *at = to + sizeof(uint32_t);
        uint32_t bytes;
        if (table->has_header)
            csv_walk_next(&walk, &field);
        if (!(kept[i / 8] >> i % 8 & 1))
            continue;
        if (table->has_header) {
            struct csv_span name = csv_name_of(field, table->dialect, at);
            memmove(at, name.at, name.bytes);
            bytes = (uint32_t)name.bytes;
        } else {
            char number[20], *const end = number + sizeof number;
            const char *digits = text_digits(end, i + 1, 1);
            bytes = (uint32_t)(end - digits);
            memcpy(at, digits, bytes);
        }
        memcpy(to, &bytes, sizeof bytes);
        table->name[i] = at;
        at[bytes] = '\0';
        to = at + bytes + 1;
    }
    return to;
}

/* Sets table->is_twice. False: no memory. */
static bool find_twice(struct csv_table *table, struct csv_span first)
{
    struct csv_sought *sought = calloc(csv_columns(table) + 1, sizeof *sought);
    table->is_twice = malloc(csv_columns(table) + 1);
    bool ok = sought && table->is_twice;
    for (size_t c = 0; ok && c < csv_columns(table); c++)
        sought[c].name = csv_name(table, table->field_of[c]);
    ok = ok && csv_names_seek(table, first, sought, csv_columns(table));
    for (size_t c = 0; ok && c < csv_columns(table); c++)
        table->is_twice[c] = sought[c].found > 1;
    free(sought);
    return ok;
}

bool csv_names_read(struct csv_table *table, struct csv_span first, bool all,
                    struct error *e)
{
    const size_t fields = table->fields;
    size_t kept =
        all || csv_columns(table) >= fields ? fields : csv_columns(table) + 1;
    /* A number has 20 bytes at most. */
    size_t room = kept * (sizeof(uint32_t) + 1) +
                  (table->has_header ? first.bytes : 20 * kept) + 1;
    if (table->names_all || (table->names && !all))
        return true;
    free(table->name);
    free(table->names);
    table->name = calloc(fields + 1, sizeof *table->name);
    table->names = malloc(room);
    unsigned char *is_kept = kept_fields(table, all);
    if (!table->name || !table->names || !is_kept) {
        free(is_kept);
        return error_memory(e);
    }
    table->names_bytes =
        (size_t)(put_names(table, first, is_kept) - table->names);
    table->names_all = all;
    char *fitted = realloc(table->names, table->names_bytes + 1);
    for (size_t i = 0; fitted && i < fields; i++) {
        if (is_kept[i / 8] >> i % 8 & 1)
            table->name[i] = fitted + (table->name[i] - table->names);
    }
    table->names = fitted ? fitted : table->names;
    free(is_kept);
    return all || !table->has_header || find_twice(table, first) ||
           error_memory(e);
}

struct csv_span csv_name(const struct csv_table *table, size_t field)
{
    const char *at = table->name[field];
    uint32_t bytes;
    memcpy(&bytes, at - sizeof bytes, sizeof bytes);
    return (struct csv_span){at, bytes};
}

bool csv_names_same(const struct csv_table *a, const struct csv_table *b)
{
    return a->fields > 0 && a->fields == b->fields &&
           a->has_header == b->has_header && a->names_all == b->names_all &&
           a->names_bytes == b->names_bytes &&
           memcmp(a->names, b->names, a->names_bytes) == 0 &&
           (a->names_all ||
            (csv_columns(a) == csv_columns(b) &&
             memcmp(a->field_of, b->field_of,
                    csv_columns(a) * sizeof *a->field_of) == 0 &&
             (!a->has_header ||
              memcmp(a->is_twice, b->is_twice, csv_columns(a)) == 0)));
}

const char *csv_names_next(size_t i, const void *table)
{
    const struct csv_table *t = table;
    return i < t->fields ? t->name[i] : NULL;
}
