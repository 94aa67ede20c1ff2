/* SPDX-License-Identifier: MIT */
#include "csv/schema/texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "csv/schema/message.h"
#include "csv/schema/names.h"
#include "csv/schema/seek.h"

/* The field is not a column of the earlier table. */
#define NO_KIND UINT32_MAX

const char *csv_seen_hint(char room[CSV_HINT_MAX],
                          const struct csv_table *table,
                          const struct csv_choice *choice, size_t field)
{
    const struct csv_seen *seen = &choice->look->seen[field];
    return seen->what == CSV_CELL_BAD
               ? csv_field_hint(room, &choice->settings->spec, table->dialect,
                                seen->bad_cell, table->name[field])
               : NULL;
}

bool csv_is_cut_wrong(const struct csv_table *table,
                      const struct csv_choice *choice, size_t field)
{
    char room[CSV_HINT_MAX];
    return text_starts(csv_seen_hint(room, table, choice, field), "-d ");
}

static bool is_text(const struct csv_table *table,
                    const struct csv_choice *choice, size_t field)
{
    const struct csv_look *look = choice->look;
    if (look->most && field >= look->most)
        return false;
    const struct csv_seen *seen = &look->seen[field];
    if (seen->others == 0 || seen->commas == seen->others ||
        csv_mostly_numbers(seen))
        return false;
    return !csv_is_cut_wrong(table, choice, field) &&
           !csv_is_written_otherwise(seen);
}

/* Notes that a column of words and numbers is read as text. */
static void note_mixed(const struct csv_table *table,
                       const struct csv_choice *choice, size_t field)
{
    char name[QUOTE_MAX], number[32];
    const struct csv_seen *seen = &choice->look->seen[field];
    snprintf(number, sizeof number, "%zu", field + 1);
    notes_add(choice->settings->notes, "text", NOTE_ASSUMED, choice->file,
              "column %s is read as text: %" PRIu32 " of its first cells %s, "
              "%" PRIu32 " %s not",
              table->has_header ? quote(name, table->name[field]) : number,
              seen->numbers, seen->numbers == 1 ? "is a number" : "are numbers",
              seen->others, seen->others == 1 ? "is" : "are");
}

/* Lists for each field of the table the column of `kinds` that it is: by name
 * if both have headers, else by number. The caller frees [table->fields]. NULL:
 * no memory. */
static uint32_t *list_kinds(const struct csv_table *table,
                            const struct csv_table *kinds,
                            const struct csv_choice *choice)
{
    const bool by_name = table->has_header && kinds->has_header;
    struct csv_sought *sought = calloc(kinds->columns + 1, sizeof *sought);
    uint32_t *kind_of = malloc((table->fields + 1) * sizeof *kind_of);
    for (size_t k = 0; sought && k < kinds->columns; k++) {
        const size_t field = kinds->field_of[k];
        sought[k] = (struct csv_sought){.found = 1, .field = field};
        if (by_name)
            sought[k].name = csv_name(kinds, field);
    }
    if (!sought || !kind_of ||
        (by_name &&
         !csv_names_seek(table, choice->first, sought, kinds->columns))) {
        free(kind_of);
        kind_of = NULL;
    }
    for (size_t i = 0; kind_of && i < table->fields; i++)
        kind_of[i] = NO_KIND;
    for (size_t k = kinds->columns; kind_of && k-- > 0;) {
        if (sought[k].found > 0 && sought[k].field < table->fields)
            kind_of[sought[k].field] = (uint32_t)k;
    }
    free(sought);
    return kind_of;
}

bool csv_find_texts(struct csv_table *table, const struct csv_choice *choice,
                    const struct csv_table *like, struct error *e)
{
    const struct csv_table *kinds = choice->settings->kinds;
    if (!choice->settings->columns || table->columns == 0)
        return true;
    uint32_t *kind_of = kinds ? list_kinds(table, kinds, choice) : NULL;
    table->is_text = malloc((table->columns + 1) * sizeof *table->is_text);
    const bool ok = table->is_text && (kind_of || !kinds);
    for (size_t c = 0; ok && c < table->columns; c++) {
        const size_t field = table->field_of[c];
        const bool is_known = kinds && kind_of[field] != NO_KIND;
        table->is_text[c] = is_known ? csv_is_text_column(kinds, kind_of[field])
                            : like   ? csv_is_text_column(like, c)
                                     : is_text(table, choice, field);
        if (!like && !is_known && choice->settings->spec.texts &&
            c < table->valued && table->is_text[c] &&
            choice->look->seen[field].numbers > 0)
            note_mixed(table, choice, field);
    }
    free(kind_of);
    return ok || error_memory(e);
}
