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

/* Whether a field is column c of an earlier table: by name if both have
 * headers, else by number. */
static bool is_same_column(const struct csv_table *table,
                           const struct csv_table *kinds, size_t field,
                           size_t c)
{
    return table->has_header && kinds->has_header
               ? csv_span_same(csv_name(table, field),
                               csv_name(kinds, kinds->field_of[c]))
               : kinds->field_of[c] == field;
}

/* Finds the field that is column c of the table among the columns of
 * settings->kinds, if there is such a table: mostly it has the same place
 * there. Sets *is_text to what it is there, and returns whether it was found.
 */
static bool find_kind(const struct csv_table *table,
                      const struct csv_table *kinds, size_t c, bool *is_text)
{
    const size_t field = table->field_of[c];
    size_t k = c;
    if (!kinds)
        return false;
    if (k >= kinds->columns || !is_same_column(table, kinds, field, k)) {
        k = 0;
        while (k < kinds->columns && !is_same_column(table, kinds, field, k))
            k++;
    }
    *is_text = k < kinds->columns && csv_is_text_column(kinds, k);
    return k < kinds->columns;
}

bool csv_find_texts(struct csv_table *table, const struct csv_choice *choice,
                    const struct csv_table *like, struct error *e)
{
    if (!choice->settings->columns || table->columns == 0)
        return true;
    table->is_text = malloc((table->columns + 1) * sizeof *table->is_text);
    if (!table->is_text)
        return error_memory(e);
    for (size_t c = 0; c < table->columns; c++) {
        const size_t field = table->field_of[c];
        const bool is_known =
            find_kind(table, choice->settings->kinds, c, &table->is_text[c]);
        if (!is_known)
            table->is_text[c] = like ? csv_is_text_column(like, c)
                                     : is_text(table, choice, field);
        if (!like && !is_known && choice->settings->spec.texts &&
            c < table->valued && table->is_text[c] &&
            choice->look->seen[field].numbers > 0)
            note_mixed(table, choice, field);
    }
    return true;
}
