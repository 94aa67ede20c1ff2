/* SPDX-License-Identifier: MIT */
#include "csv/schema/match.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "csv/schema/names.h"
#include "csv/schema/seek.h"
#include "csv/schema/select.h"

bool csv_find_holds(struct csv_table *table, const struct csv_choice *choice,
                    struct error *e)
{
    const struct csv_seen *seen = choice->look->seen;
    table->holds = calloc(table->fields + 1, 1);
    if (!table->holds)
        return error_memory(e);
    for (size_t i = 0; i < table->fields; i++) {
        if (seen[i].others == 0)
            csv_select_field(table, i);
        table->holds[i] =
            csv_is_taken(table, i) ? CSV_HOLDS_NONE : CSV_HOLDS_WORDS;
    }
    for (size_t c = 0; c < table->columns; c++) {
        const size_t field = table->field_of[c];
        table->holds[field] =
            seen[field].numbers > 0 ? CSV_HOLDS_NUMBERS : CSV_HOLDS_NOTHING;
    }
    return true;
}

/* Finds for each field i of `a` the field of `b` with its name:
 * sought[i].field, if sought[i].found is 1. A name that occurs twice in `a`
 * must have the same number in `b`. sought is [2 * a->fields]. */
static bool find_partners(const struct csv_table *a, const struct csv_table *b,
                          struct csv_sought *sought, struct error *e)
{
    const struct csv_span none = {NULL, 0};
    struct csv_sought *own = sought + a->fields;
    const bool by_name = a->has_header && b->has_header;
    for (size_t i = 0; i < a->fields; i++) {
        sought[i] = (struct csv_sought){csv_name(a, i), 1, i};
        own[i].name = sought[i].name;
    }
    if (!by_name)
        return true;
    if (!csv_names_seek(a, none, own, a->fields) ||
        !csv_names_seek(b, none, sought, a->fields))
        return error_memory(e);
    for (size_t i = 0; i < a->fields; i++) {
        if (own[i].found <= 1)
            continue;
        if (csv_span_same(sought[i].name, csv_name(b, i)))
            sought[i].found = 1;
        else if (sought[i].found == 1)
            sought[i].found = 0;
        sought[i].field = i;
    }
    return true;
}

static bool report_mismatch(const struct csv_table *table, size_t field,
                            const char *with, const char *without,
                            struct error *e)
{
    char name[QUOTE_MAX], first[QUOTE_MAX], other[QUOTE_MAX];
    const struct csv_span text = csv_name(table, field);
    return error_set(e, ERROR_DATA,
                     "column %s holds numbers in %s, but not in %s\n"
                     "Choose columns with -c, or leave it out with -x.",
                     quote_bytes(name, text.at, text.bytes), quote(first, with),
                     quote(other, without));
}

static bool report_no_partner(const struct csv_table *table, size_t field,
                              size_t found, const char *with,
                              const char *without, struct error *e)
{
    char name[QUOTE_MAX], first[QUOTE_MAX], other[QUOTE_MAX];
    const struct csv_span text = csv_name(table, field);
    quote_bytes(name, text.at, text.bytes);
    return error_set(e, ERROR_DATA,
                     "%s has %s %s, which holds numbers in %s\n"
                     "Choose columns with -c.",
                     quote(other, without),
                     found > 1 ? "several columns" : "no column to match", name,
                     quote(first, with));
}

static bool is_compared(unsigned char a, unsigned char b, bool is_empty)
{
    return (a == CSV_HOLDS_NUMBERS && b != CSV_HOLDS_WORDS) ||
           (b == CSV_HOLDS_NUMBERS && a != CSV_HOLDS_WORDS) ||
           (is_empty && a == CSV_HOLDS_NOTHING && b == CSV_HOLDS_NOTHING);
}

/* Adds a field of the first table and its partner to the columns, if they are
 * compared. */
static bool match_field(struct csv_table *const table[2],
                        const char *const file[2], size_t field,
                        const struct csv_sought *partner, struct error *e)
{
    struct csv_table *a = table[0], *b = table[1];
    const unsigned char ours = a->holds[field];
    if (partner->found != 1)
        return ours != CSV_HOLDS_NUMBERS ||
               report_no_partner(a, field, partner->found, file[0], file[1], e);
    const unsigned char theirs = b->holds[partner->field];
    b->holds[partner->field] = CSV_HOLDS_NONE;
    if (ours == CSV_HOLDS_NONE)
        return true;
    if (is_compared(ours, theirs, !a->has_records || !b->has_records)) {
        a->field_of[a->columns++] = (uint32_t)field;
        b->field_of[b->columns++] = (uint32_t)partner->field;
        return true;
    }
    if (ours == CSV_HOLDS_NUMBERS)
        return report_mismatch(a, field, file[0], file[1], e);
    return theirs != CSV_HOLDS_NUMBERS ||
           report_mismatch(b, partner->field, file[1], file[0], e);
}

static bool match_fields(struct csv_table *const table[2],
                         const char *const file[2],
                         const struct csv_sought *partner, struct error *e)
{
    struct csv_table *a = table[0], *b = table[1];
    char first[QUOTE_MAX], other[QUOTE_MAX];
    a->columns = b->columns = 0;
    for (size_t i = 0; i < a->fields; i++) {
        if (!match_field(table, file, i, &partner[i], e))
            return false;
    }
    for (size_t i = 0; i < b->fields; i++) {
        if (b->holds[i] == CSV_HOLDS_NUMBERS)
            return report_no_partner(b, i, 0, file[1], file[0], e);
    }
    a->valued = b->valued = a->columns;
    return a->columns > 0 ||
           error_set(e, ERROR_DATA,
                     "%s and %s have no column of numbers to compare\n"
                     "Choose columns with -c.",
                     quote(first, file[0]), quote(other, file[1]));
}

bool csv_match(struct csv_table *const table[2], const char *const file[2],
               struct error *e)
{
    /* A table without a record has nothing to match. Either the lengths differ,
     * which is found later, or both tables are empty. */
    if (table[0]->fields == 0 || table[1]->fields == 0)
        return true;
    struct csv_sought *partner =
        calloc(2 * table[0]->fields + 1, sizeof *partner);
    if (!partner)
        return error_memory(e);
    const bool ok = find_partners(table[0], table[1], partner, e) &&
                    match_fields(table, file, partner, e);
    free(partner);
    return ok;
}
