/* SPDX-License-Identifier: MIT */
#include "csv/schema/seek.h"

#include <stdlib.h>
#include <string.h>

#include "csv/schema/names.h"
#include "csv/schema/used.h"

uint64_t csv_hash(struct csv_span text)
{
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < text.bytes; i++)
        h = (h ^ (unsigned char)text.at[i]) * 0x100000001b3;
    return h ^ h >> 32;
}

/* A hash table of the names to find, with open addressing. */
struct index {
    struct csv_sought *sought;
    uint32_t *slot; /* [mask + 1]: index in `sought`, or NO_NAME */
    size_t mask;
};

#define NO_NAME UINT32_MAX

/* The slot that has the name, or the free slot where it belongs. */
static uint32_t *slot_of(const struct index *index, struct csv_span name)
{
    size_t i = (size_t)csv_hash(name) & index->mask;
    for (; index->slot[i] != NO_NAME; i = (i + 1) & index->mask) {
        if (csv_span_same(index->sought[index->slot[i]].name, name))
            break;
    }
    return &index->slot[i];
}

static bool index_make(struct index *index, struct csv_sought *sought, size_t n)
{
    size_t room = 8;
    while (room < 2 * n)
        room *= 2;
    *index = (struct index){sought, malloc(room * sizeof(uint32_t)), room - 1};
    if (!index->slot)
        return false;
    memset(index->slot, 0xff, room * sizeof *index->slot);
    for (size_t i = 0; i < n; i++) {
        uint32_t *slot = slot_of(index, sought[i].name);
        *slot = *slot == NO_NAME ? (uint32_t)i : *slot;
        sought[i].found = 0;
    }
    return true;
}

/* Notes that field `field` has the name. */
static void note_field(const struct index *index, struct csv_span name,
                       size_t field)
{
    uint32_t slot = *slot_of(index, name);
    if (slot != NO_NAME && index->sought[slot].found++ == 0)
        index->sought[slot].field = field;
}

bool csv_names_seek(const struct csv_table *table, struct csv_span first,
                    struct csv_sought *sought, size_t n)
{
    struct csv_walk walk = {.text = first, .dialect = table->dialect};
    struct csv_span field;
    struct index index;
    char *room = malloc(first.bytes + 1);
    bool ok = index_make(&index, sought, n) && room;
    for (size_t i = 0; ok && table->names_all && i < table->fields; i++)
        note_field(&index, csv_name(table, i), i);
    for (size_t i = 0; ok && !table->names_all && csv_walk_next(&walk, &field);)
        note_field(&index, csv_name_of(field, table->dialect, room), i++);
    /* A name that occurs twice in `sought` has one slot: both get its results.
     */
    for (size_t i = 0; ok && i < n; i++) {
        const struct csv_sought *same =
            &sought[*slot_of(&index, sought[i].name)];
        sought[i].found = same->found;
        sought[i].field = same->field;
    }
    free(index.slot);
    free(room);
    return ok;
}

static bool split_list(const char *option, const char *list,
                       struct csv_fields *items, struct error *e)
{
    const struct csv_span text = {list, strlen(list)};
    size_t at = 0;
    enum csv_record found =
        csv_record_next(text, &at, csv_dialect_of(','), true, items);
    if (found == CSV_RECORD_NO_MEMORY)
        return error_memory(e);
    /* A list has one line. */
    return (found == CSV_RECORD_OK && at == text.bytes) ||
           error_set(e, ERROR_USAGE, "--%s needs a list such as price,3,5-7",
                     option);
}

bool csv_list_open(struct csv_list *l, const struct csv_table *table,
                   struct csv_span first, const char *option, const char *list,
                   struct error *e)
{
    *l = (struct csv_list){.n = 0};
    if (!split_list(option, list, &l->items, e))
        return false;
    l->sought = calloc(l->items.n + 1, sizeof *l->sought);
    char *room = l->room = malloc(strlen(list) + 1);
    if (!l->sought || !room)
        return error_memory(e);
    for (; l->n < l->items.n; l->n++) {
        struct csv_span item = l->items.at[l->n];
        l->sought[l->n].name = csv_name_of(item, csv_dialect_of(','), room);
        room += item.bytes;
    }
    return !table->has_header ||
           csv_names_seek(table, first, l->sought, l->n) || error_memory(e);
}

void csv_list_close(struct csv_list *l)
{
    csv_fields_free(&l->items);
    free(l->sought);
    free(l->room);
}

static bool is_digits(struct csv_span s)
{
    for (size_t i = 0; i < s.bytes; i++) {
        if (s.at[i] < '0' || s.at[i] > '9')
            return false;
    }
    return s.bytes > 0;
}

/* Whether the digits are a number greater than `fields`, the number of the last
 * field. */
static bool exceeds(struct csv_span digits, size_t fields)
{
    size_t number = 0;
    for (size_t i = 0; i < digits.bytes && number <= fields; i++)
        number = 10 * number + (size_t)(digits.at[i] - '0');
    return number > fields;
}

static bool list_proves(const struct csv_table *table, struct csv_span first,
                        const char *option, const char *list, bool *proved)
{
    struct csv_list l;
    struct error e;
    bool ok = csv_list_open(&l, table, first, option, list, &e);
    for (size_t i = 0; ok && i < l.n && !*proved; i++) {
        struct csv_span item = l.sought[i].name;
        *proved = item.bytes > 0 && l.sought[i].found > 0 &&
                  (!is_digits(item) || exceeds(item, table->fields));
    }
    csv_list_close(&l);
    /* The choice of columns reports a malformed list. */
    return ok || e.kind == ERROR_USAGE;
}

static bool like_proves(const struct csv_table *table, struct csv_span first,
                        const struct csv_table *like, bool *proved)
{
    const size_t columns = csv_columns(like);
    struct csv_sought *sought = malloc((columns + 1) * sizeof *sought);
    bool ok = sought;
    for (size_t c = 0; ok && c < columns; c++)
        sought[c].name = csv_name(like, like->field_of[c]);
    ok = ok && csv_names_seek(table, first, sought, columns);
    *proved = ok && columns > 0;
    for (size_t c = 0; *proved && c < columns; c++)
        *proved = sought[c].found > 0;
    free(sought);
    return ok;
}

bool csv_proves_header(struct csv_span first, size_t fields,
                       struct csv_dialect dialect,
                       const struct csv_settings *settings,
                       const struct csv_table *like, bool *proved)
{
    const struct csv_table table = {
        .dialect = dialect, .fields = fields, .has_header = true};
    bool ok = true;
    *proved = false;
    if (settings->columns)
        ok = list_proves(&table, first, "columns", settings->columns, proved);
    if (ok && settings->exclude && !*proved)
        ok = list_proves(&table, first, "exclude", settings->exclude, proved);
    if (ok && settings->weights && !*proved)
        ok = list_proves(&table, first, "weights", settings->weights, proved);
    if (ok && settings->by && !*proved)
        ok = list_proves(&table, first, "by", settings->by, proved);
    if (ok && settings->named && !*proved)
        ok = list_proves(&table, first, "assert", settings->named, proved);
    if (ok && settings->used_count > 0 && !*proved)
        ok = csv_used_proves(&table, first, settings, proved);
    if (ok && like && like->has_header && !*proved)
        ok = like_proves(&table, first, like, proved);
    return ok;
}
