/* SPDX-License-Identifier: MIT */
#include "csv/schema/used.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "csv/schema/names.h"
#include "csv/schema/seek.h"
#include "expr/lexer.h"

/* Finds all n names of `used` in a table's header. The caller frees the result.
 * NULL: no memory. */
static struct csv_sought *seek_used(const struct csv_table *table,
                                    struct csv_span first,
                                    const struct csv_used *used, size_t n)
{
    struct csv_sought *sought = calloc(n + 1, sizeof *sought);
    for (size_t i = 0; sought && i < n; i++)
        sought[i].name = used[i].name;
    if (sought && table->has_header &&
        !csv_names_seek(table, first, sought, n)) {
        free(sought);
        return NULL;
    }
    return sought;
}

static bool complain(const struct csv_used *used, const char *why,
                     struct error *e)
{
    return expr_complain(used->source, used->at, ERROR_USAGE, e, "%s", why);
}

static bool unknown(struct csv_table *table, const struct csv_choice *choice,
                    const struct csv_used *used, struct error *e)
{
    char why[2 * QUOTE_MAX], name[QUOTE_MAX], near[TEXT_SUGGEST_MAX] = "";
    char file[QUOTE_MAX];
    if (used->field) {
        snprintf(why, sizeof why, "%s has %zu field%s",
                 escape(file, choice->file), table->fields,
                 table->fields == 1 ? "" : "s");
        return complain(used, why, e);
    }
    const bool is_quoted = used->source->text[used->at] == '`';
    const char *hint =
        lexer_hint((struct expr_text){used->name.at, used->name.bytes});
    if (hint && !is_quoted)
        return complain(used, hint, e);
    if (!csv_names_read(table, choice->first, true, e))
        return false;
    char *word =
        table->has_header ? strndup(used->name.at, used->name.bytes) : NULL;
    if (word)
        text_suggest(near, "", word, csv_names_next, table);
    free(word);
    snprintf(
        why, sizeof why, "%s has no column %s%s%s", escape(file, choice->file),
        quote_bytes(name, used->name.at, used->name.bytes),
        table->has_header ? "" : ", and no header: say $1 for field 1", near);
    return complain(used, why, e);
}

/* Adds a field to the inputs, unless it is among the columns. Returns the
 * column's number. */
static uint32_t add_field(struct csv_table *table, uint32_t field)
{
    const size_t n = table->columns + table->inputs;
    size_t i = 0;
    while (i < n && table->field_of[i] != field)
        i++;
    if (i == n) {
        table->field_of[n] = field;
        table->inputs++;
    }
    return (uint32_t)i;
}

static bool add_one(struct csv_table *table, const struct csv_choice *choice,
                    const struct csv_used *used,
                    const struct csv_sought *sought, uint32_t *column,
                    struct error *e)
{
    if (sought->found > 1)
        return complain(
            used, "several columns have this name; say $N for field N", e);
    if (used->field ? used->field > table->fields : sought->found == 0)
        return unknown(table, choice, used, e);
    *column = add_field(table, used->field ? (uint32_t)used->field - 1
                                           : (uint32_t)sought->field);
    return true;
}

bool csv_add_used(struct csv_table *table, const struct csv_choice *choice,
                  struct error *e)
{
    const struct csv_settings *w = choice->settings;
    if (w->used_count == 0)
        return true;
    struct csv_sought *sought =
        seek_used(table, choice->first, w->used, w->used_count);
    uint32_t *used = calloc(w->used_count, sizeof *used);
    table->used = used;
    bool ok = (sought && used) || error_memory(e);
    for (size_t i = 0; ok && i < w->used_count; i++)
        ok = add_one(table, choice, &w->used[i], &sought[i], &used[i], e);
    free(sought);
    return ok;
}

/* Whether an earlier literal of the same expression has the same text. */
static bool is_noted(const struct csv_settings *w, size_t i)
{
    size_t k = 0;
    while (k < i && (w->literal[k].source != w->literal[i].source ||
                     !csv_span_same(w->literal[k].name, w->literal[i].name)))
        k++;
    return k < i;
}

bool csv_note_literals(const struct csv_table *table,
                       const struct csv_choice *choice, struct error *e)
{
    const struct csv_settings *w = choice->settings;
    if (w->literals == 0 || !table->has_header)
        return true;
    struct csv_sought *sought =
        seek_used(table, choice->first, w->literal, w->literals);
    for (size_t i = 0; sought && i < w->literals; i++) {
        const struct csv_span name = w->literal[i].name;
        if (sought[i].found > 0 && !is_noted(w, i))
            notes_add(w->notes, "literal", NOTE_ASSUMED, choice->file,
                      "%.*s is a constant in %s; the column of this name is "
                      "written `%.*s`, in backquotes, or $%zu",
                      (int)name.bytes, name.at, w->literal[i].source->option,
                      (int)name.bytes, name.at, sought[i].field + 1);
    }
    free(sought);
    return sought || error_memory(e);
}

bool csv_used_proves(const struct csv_table *table, struct csv_span first,
                     const struct csv_settings *settings, bool *proved)
{
    struct csv_sought *sought =
        seek_used(table, first, settings->used, settings->used_count);
    for (size_t i = 0; sought && i < settings->used_count; i++)
        *proved |= sought[i].found > 0 && sought[i].name.bytes > 0;
    free(sought);
    return sought;
}
