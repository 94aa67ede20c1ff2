/* SPDX-License-Identifier: MIT */
#include "csv/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "csv/columns.h"
#include "csv/offence.h"
#include "csv/record.h"

static bool no_memory(struct error *e)
{
    return error_set(e, ERROR_DATA, "out of memory");
}

/* A header by the rule of --header auto: no number, no missing value. False
 * where there is no memory to find out. */
static bool find_header(const struct csv_table *table,
                        const struct csv_fields *first,
                        const struct csv_wishes *wishes, bool *is_header)
{
    struct csv_spec spec = wishes->spec;
    uint64_t bits;
    spec.dtype = DTYPE_f64;
    *is_header = wishes->header != CSV_HEADER_NO;
    if (wishes->header != CSV_HEADER_AUTO)
        return true;
    for (size_t i = 0; i < first->n && *is_header; i++) {
        enum csv_cell cell = csv_cell_read(&spec, table->dialect, first->at[i], &bits);
        if (cell == CSV_CELL_NO_MEMORY)
            return false;
        *is_header = cell > CSV_CELL_MISSING;
    }
    return true;
}

/* The name of a field: what the header says, or its number. */
static char *name_of(const struct csv_table *table, struct csv_span field,
                     size_t number)
{
    char *room = malloc(field.bytes + 24);
    struct csv_span content = {NULL, 0};
    if (!room)
        return NULL;
    if (!table->has_header) {
        snprintf(room, 24, "%zu", number);
        return room;
    }
    csv_undo_quotes(field, table->dialect, room, &content);
    memmove(room, content.at, content.bytes);
    room[content.bytes] = '\0';
    return room;
}

static bool read_names(struct csv_table *table, const struct csv_fields *first,
                       struct error *e)
{
    table->fields = first->n;
    table->name = calloc(first->n + 1, sizeof *table->name);
    table->column_of = malloc((first->n + 1) * sizeof *table->column_of);
    if (!table->name || !table->column_of)
        return no_memory(e);
    for (size_t i = 0; i < first->n; i++) {
        table->name[i] = name_of(table, first->at[i], i + 1);
        table->column_of[i] = CSV_NO_COLUMN;
        if (!table->name[i])
            return no_memory(e);
    }
    return true;
}

/* Cuts what columns are judged by to CSV_SAMPLE bytes, but to no less than a
 * record. */
static bool cut_sample(struct csv_span *rest, struct csv_dialect dialect,
                       bool *is_all, struct error *e)
{
    struct csv_fields record = {NULL, 0, 0};
    size_t at = 0;
    if (rest->bytes <= CSV_SAMPLE)
        return true;
    enum csv_record found =
        csv_record_next(*rest, &at, dialect, *is_all, &record);
    csv_fields_free(&record);
    rest->bytes = at > CSV_SAMPLE ? at : CSV_SAMPLE;
    *is_all = false;
    return found != CSV_RECORD_NO_MEMORY || no_memory(e);
}

bool csv_table_read(struct csv_table *table, const char *name,
                    struct csv_span sample, bool is_all,
                    const struct csv_wishes *wishes,
                    const struct csv_table *like, struct error *e)
{
    struct csv_fields first = {NULL, 0, 0};
    size_t at = 0;
    enum csv_record found =
        csv_record_next(sample, &at, table->dialect, is_all, &first);
    bool ok = found != CSV_RECORD_NO_MEMORY ? true : no_memory(e);
    if (found == CSV_RECORD_OPEN)
        ok = csv_never_closed(name, table->dialect, 1, sample, e);
    if (ok) {
        bool is_header;
        ok = find_header(table, &first, wishes, &is_header) || no_memory(e);
        table->has_header = ok && found == CSV_RECORD_OK && is_header;
        ok = ok && read_names(table, &first, e);
    }
    csv_fields_free(&first);
    table->header_bytes = table->has_header ? at : 0;
    table->line =
        1 + csv_lines((struct csv_span){sample.at, table->header_bytes},
                      table->dialect);
    struct csv_span rest = {sample.at + table->header_bytes,
                            sample.bytes - table->header_bytes};
    return ok && cut_sample(&rest, table->dialect, &is_all, e) &&
           csv_choose(table, name, rest, is_all, wishes, like, e);
}

void csv_table_free(struct csv_table *table)
{
    for (size_t i = 0; table->name && i < table->fields; i++)
        free(table->name[i]);
    free(table->name);
    free(table->field_of);
    free(table->column_of);
    *table = (struct csv_table){.columns = 0};
}
