/* SPDX-License-Identifier: MIT */
#include "csv/schema/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "csv/schema/columns.h"
#include "csv/schema/header.h"
#include "csv/schema/left_out.h"
#include "csv/cell/kind.h"
#include "csv/schema/names.h"
#include "csv/schema/match.h"
#include "csv/schema/message.h"
#include "csv/schema/seek.h"
#include "csv/schema/select.h"
#include "csv/schema/sniff.h"
#include "csv/schema/texts.h"

/* Where --columns gives the columns, this many bytes decide whether there is a
 * header. Looking at 64 KiB would take 1.5 ms, as long as a whole process. */
enum { HEADER_SAMPLE = 8 << 10 };

/* Cuts look->text to the records to look at: `most` bytes, but at least one
 * record. If that record is longer than the sample, cuts it to its fields in
 * the sample. False: no memory. */
static bool cut_sample(struct csv_look *look, struct csv_dialect dialect,
                       size_t most)
{
    struct csv_fields record = {.most = look->most};
    size_t at = 0, kept;
    if (look->text.bytes <= most)
        return true;
    enum csv_record found =
        csv_record_next(look->text, &at, dialect, look->is_all, &record);
    kept = csv_kept(&record);
    look->is_part = look->most && found == CSV_RECORD_NONE && kept > 0;
    if (look->is_part)
        at = (size_t)(record.at[kept - 1].at - look->text.at) +
             record.at[kept - 1].bytes;
    csv_fields_free(&record);
    look->text.bytes = at > most || look->is_part ? at : most;
    look->is_all = look->is_part;
    return found != CSV_RECORD_NO_MEMORY;
}

/* Notes what the first record was assumed to be, unless the first file's was
 * assumed to be the same. */
static void note_header(const struct csv_verdict *verdict, const char *name,
                        const struct csv_settings *settings,
                        const struct csv_table *like)
{
    if (verdict->say == CSV_SAY_NEVER ||
        (like && like->has_header == verdict->is_header) ||
        (verdict->say == CSV_SAY_IF_COUNTED && !settings->counts_records))
        return;
    if (verdict->is_header)
        notes_add(settings->notes, "header", NOTE_ASSUMED, name,
                  "the first record is taken for names (%s); if it is data, "
                  "say --header no",
                  verdict->reason);
    else
        notes_add(settings->notes, "no header", NOTE_ASSUMED, name,
                  "the first record is taken for data (%s); if it holds "
                  "names, say --header yes",
                  verdict->reason);
}

/* Looks at the records below the first and decides whether the first is a
 * header. */
static bool judge(struct csv_table *table, struct csv_look *look,
                  const struct csv_fields *first, const char *name,
                  const struct csv_settings *settings,
                  const struct csv_table *like)
{
    const struct csv_heading heading = {table->dialect, first, look, settings,
                                        like};
    struct csv_verdict verdict;
    look->fields = first->n;
    look->most = first->most;
    if (!cut_sample(look, table->dialect,
                    settings->columns ? HEADER_SAMPLE : CSV_SAMPLE) ||
        !csv_look_at(look, table->dialect, &settings->spec) ||
        !csv_find_header(&heading, &verdict))
        return false;
    table->has_header = verdict.is_header;
    table->header_reason = verdict.reason;
    table->has_records =
        look->records > 0 || (first->n > 0 && !verdict.is_header);
    note_header(&verdict, name, settings, like);
    return verdict.is_header ||
           csv_look_first(look, table->dialect, &settings->spec, first);
}

/* Replaces the names and columns of a table by those of `like`, which are
 * equal, so that they take memory only once. */
static void share(struct csv_table *table, const struct csv_table *like)
{
    struct csv_table own = *table;
    table->name = like->name;
    table->names = like->names;
    table->is_twice = like->is_twice;
    table->field_of = like->field_of;
    table->is_text = like->is_text;
    table->columns = like->columns;
    table->inputs = like->inputs;
    table->valued = like->valued;
    table->is_shared = true;
    csv_table_free(&own);
}

static bool choose_like(struct csv_table *table,
                        const struct csv_choice *choice,
                        const struct csv_table *like, struct error *e)
{
    table->columns_reason = "those of the first file";
    table->valued = like->valued;
    table->has_weight = like->has_weight;
    table->weight = like->weight;
    table->used = like->used;
    table->used_is_shared = true;
    table->keys = like->keys;
    memcpy(table->key_of, like->key_of, sizeof table->key_of);
    if (choice->settings->matches)
        return true;
    /* A table without a record has no column to find or reduce. */
    if (table->fields > 0 && !csv_names_same(table, like) &&
        !csv_select_like(table, choice, like, e))
        return false;
    csv_note_unlike(table, choice, like);
    return true;
}

/* Chooses the columns, and keeps all names or those of the columns. */
static bool choose(struct csv_table *table, const struct csv_choice *choice,
                   const struct csv_table *like, struct error *e)
{
    table->field_of = malloc((table->fields + 1) * sizeof *table->field_of);
    table->taken = calloc(table->fields / 8 + 1, 1);
    bool ok = (table->field_of && table->taken) || error_memory(e);
    if (ok && !csv_is_list(choice->settings))
        ok = csv_names_read(table, choice->first, true, e);
    ok = ok && (like ? choose_like(table, choice, like, e)
                     : csv_choose(table, choice, e));
    if (ok && choice->settings->matches)
        ok = csv_find_holds(table, choice, e);
    free(table->taken);
    table->taken = NULL;
    ok = ok && csv_names_read(table, choice->first, false, e) &&
         csv_find_texts(table, choice, like, e);
    if (ok && like && !table->holds && csv_names_same(table, like))
        share(table, like);
    return ok;
}

/* Splits the first record of the table, and moves *at after it. */
static bool read_first(const struct csv_table *table, const char *name,
                       struct csv_span sample, bool is_all, size_t *at,
                       struct csv_fields *first, struct error *e)
{
    enum csv_record found =
        csv_record_next(sample, at, table->dialect, is_all, first);
    if (found == CSV_RECORD_NO_MEMORY)
        return error_memory(e);
    if (found == CSV_RECORD_OPEN) {
        const struct csv_span record = {sample.at + *at, sample.bytes - *at};
        uint64_t before = csv_lines(sample.at, record.at, table->dialect);
        return csv_never_closed(name, table->dialect, 1 + before, record, e);
    }
    if (found == CSV_RECORD_NONE)
        first->n = 0;
    return true;
}

/* Whether a cell of the first record looks like a name and contains the byte,
 * one that may be a delimiter. */
static bool has_delimiter(const struct csv_table *table,
                          const struct csv_settings *settings,
                          struct csv_span cell, char byte)
{
    return byte && strchr(",;|\t", byte) && memchr(cell.at, byte, cell.bytes) &&
           csv_kind_of(&settings->spec, table->dialect, cell) == CSV_KIND_WORD;
}

/* Refuses a header such as `a,b` where an option makes the comma part of
 * numbers: 1,200 below it could be one number or two. */
static bool check_taken(const struct csv_table *table, const char *name,
                        const struct csv_fields *first,
                        const struct csv_settings *settings, struct error *e)
{
    const struct csv_notation *n = &settings->spec.notation;
    char cell[QUOTE_MAX];
    if (settings->delimiter != CSV_AUTO || first->n != 1 || !n->used)
        return true;
    const char *option = "--decimal";
    char byte = n->decimal;
    if (!has_delimiter(table, settings, first->at[0], byte)) {
        option = "--thousands";
        byte = n->thousands_bytes == 1 ? n->thousands[0] : 0;
        if (!has_delimiter(table, settings, first->at[0], byte))
            return true;
    }
    return error_named(e, ERROR_DATA, name,
                       "%s could be one name or several, since %s takes "
                       "the '%c'\n"
                       "If it separates fields, leave %s out; if not, say "
                       "-d '%c'.",
                       quote_bytes(cell, first->at[0].at, first->at[0].bytes),
                       option, byte, option, byte == ';' ? '|' : ';');
}

/* Keeps what is said of the first record in messages. */
static void note_first(struct csv_table *table, const struct csv_fields *first)
{
    struct csv_span text = first->text;
    if (first->n == 0)
        return;
    while (text.bytes > 0 &&
           (text.at[text.bytes - 1] == '\n' || text.at[text.bytes - 1] == '\r'))
        text.bytes--;
    table->begin = text.bytes > 0 ? text.at[0] : 0;
    table->first_bytes = text.bytes;
    table->first_hash = csv_hash(text);
}

bool csv_table_read(struct csv_table *table, const char *name,
                    struct csv_span sample, bool is_all,
                    const struct csv_sniffed *sniffed,
                    const struct csv_settings *settings,
                    const struct csv_table *like, struct error *e)
{
    const size_t most = csv_is_list(settings) ? CSV_LOOK_FIELDS : 0;
    struct csv_fields first = {.most = most};
    struct csv_sniffed own;
    if (!sniffed && !csv_sniff(&own, sample, is_all, settings))
        return error_memory(e);
    sniffed = sniffed ? sniffed : &own;
    table->dialect = sniffed->dialect;
    table->delimiter_reason = sniffed->reason;
    size_t at = sniffed->start;
    bool ok = read_first(table, name, sample, is_all, &at, &first, e) &&
              check_taken(table, name, &first, settings, e);
    struct csv_look look = {.text = {sample.at + at, sample.bytes - at},
                            .is_all = is_all};
    if (ok && !judge(table, &look, &first, name, settings, like))
        ok = error_memory(e);
    table->fields = first.n;
    note_first(table, &first);
    table->header_bytes = table->has_header ? at : sniffed->start;
    const char *records = sample.at + table->header_bytes;
    const char *end = sample.at + sample.bytes;
    table->line = 1 + csv_lines(sample.at, records, table->dialect);
    table->part_line = table->line;
    table->record_bytes =
        (size_t)(end - records) / (1 + csv_lines(records, end, table->dialect));
    const struct csv_choice choice = {name,   sample, first.text,
                                      is_all, &look,  settings};
    ok = ok && choose(table, &choice, like, e);
    csv_fields_free(&first);
    free(look.seen);
    return ok;
}

void csv_table_free(struct csv_table *table)
{
    if (!table->is_shared) {
        free(table->name);
        free(table->names);
        free(table->is_twice);
        free(table->field_of);
        free(table->is_text);
    }
    if (!table->used_is_shared)
        free(table->used);
    free(table->holds);
    *table = (struct csv_table){.columns = 0};
}
