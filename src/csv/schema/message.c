/* SPDX-License-Identifier: MIT */
#include "csv/schema/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "csv/schema/seek.h"

void csv_place(char out[CSV_PLACE_MAX], const char *name, uint64_t line,
               const char *text, const char *at, struct csv_dialect dialect)
{
    char room[QUOTE_MAX];
    const char *start = at;
    while (start > text && start[-1] != (char)dialect.end)
        start--;
    snprintf(out, CSV_PLACE_MAX, "%s:%" PRIu64 ":%zu", escape(room, name),
             line + csv_lines(text, at, dialect), (size_t)(at - start) + 1);
}

/* Whether the record, or the first one, is a comment. A first record such as
 * `# a b` may also hold names: then only the record right below it differs. */
static bool is_comment(const struct csv_table *table, uint64_t line,
                       const char *record)
{
    if (table->dialect.comments)
        return false;
    return *record == '#' || (table->begin == '#' && table->fields == 1) ||
           (table->has_header && line == table->line &&
            text_starts(table->name[0], "# "));
}

/* What to try for a record that is longer than the first, right below it:
 * perhaps that one is a title before the table. */
static void hint_title(char *hint, size_t room, const struct csv_table *table,
                       uint64_t line, size_t have)
{
    const unsigned long long lines = line - 1;
    const bool is_pair = table->fields == 1 && have == 2 &&
                         table->dialect.delimiter == ',' &&
                         !table->dialect.blank;
    if (table->has_header && have == table->fields + 1 && !is_pair)
        snprintf(hint, room,
                 "--skip-lines %llu --header no: the header has a name too few",
                 lines);
    else
        snprintf(hint, room,
                 "%s--skip-lines %llu if the table starts at this line",
                 is_pair ? "--decimal , if 1,5 is one number here, or "
                 : table->dialect.blank ? "--ragged pad to join surplus words "
                                          "to the last field, or "
                                        : "",
                 lines);
}

/* What --ragged does with a record of `have` fields; empty if nothing helps. */
static void hint_ragged(char *hint, size_t room, const struct csv_table *table,
                        size_t have, bool may_skip)
{
    const bool is_blank = table->dialect.blank;
    const char *pad = have < table->fields
                          ? is_blank
                                ? "if they lack their last fields"
                                : "to take absent fields for missing values"
                          : "to join surplus words to the last field";
    if (have > table->fields && !is_blank)
        snprintf(hint, room, "%s",
                 may_skip ? "--ragged skip to leave such records out" : "");
    else if (have < table->fields && is_blank && may_skip)
        snprintf(hint, room,
                 "--ragged skip to leave such records out, or --ragged pad %s",
                 pad);
    else
        snprintf(hint, room, "--ragged pad %s%s", pad,
                 may_skip ? ", or --ragged skip" : "");
}

bool csv_ragged(const char *name, const struct csv_table *table, uint64_t line,
                const char *record, size_t have, bool may_skip, struct error *e)
{
    char file[QUOTE_MAX], hint[160];
    /* Line numbers of the file decide this, so that the message does not depend
     * on how the file is cut into chunks. */
    bool is_second = line == table->line + !table->has_header;
    if (is_comment(table, line, record))
        strcpy(hint, "--comment '#'");
    else if (is_second && have > table->fields)
        hint_title(hint, sizeof hint, table, line, have);
    else
        hint_ragged(hint, sizeof hint, table, have, may_skip);
    return error_set(e, ERROR_DATA,
                     "%s:%" PRIu64 ": %zu field%s where the first record has "
                     "%zu%s%s%s",
                     escape(file, name), line, have, have == 1 ? "" : "s",
                     table->fields, *hint ? "\nTry " : "", hint,
                     *hint ? "." : "");
}

bool csv_is_first_again(const struct csv_table *table, struct csv_span text,
                        const char *at)
{
    const size_t bytes = table->first_bytes;
    while (at > text.at && at[-1] != (char)table->dialect.end)
        at--;
    const size_t left = (size_t)(text.at + text.bytes - at);
    return bytes > 0 && left >= bytes &&
           (left == bytes || at[bytes] == '\r' || at[bytes] == '\n') &&
           csv_hash((struct csv_span){at, bytes}) == table->first_hash;
}

const char *csv_cell_hint(char out[CSV_HINT_MAX], const struct csv_spec *spec,
                          struct csv_dialect dialect, struct csv_span content,
                          const char *column, bool is_again)
{
    const struct csv_notation *n = &spec->notation;
    char thousands[CSV_CHAR_MAX + 1] = "";
    memcpy(thousands, n->thousands, n->thousands_bytes);
    const struct csv_hint_context context = {
        .decimal = n->used ? n->decimal : '.',
        .thousands = n->thousands_bytes > 0 ? thousands : NULL,
        .delimiter = dialect.blank ? CSV_BLANK : dialect.delimiter,
        .is_integer = !dtype_is_float(spec->dtype),
        .is_bool = spec->is_bool,
        .column = column,
        .is_again = is_again};
    return content.bytes > CSV_SHOWN_TEXT
               ? NULL
               : csv_hint(out, content.at, content.bytes, &context);
}

const char *csv_field_hint(char out[CSV_HINT_MAX], const struct csv_spec *spec,
                           struct csv_dialect dialect, struct csv_span field,
                           const char *column)
{
    enum { FIELD_MOST = 60 };
    char room[FIELD_MOST];
    struct csv_span content;
    if (field.bytes > FIELD_MOST)
        return NULL;
    csv_content(field, dialect, room, &content);
    return csv_cell_hint(out, spec, dialect, content, column, false);
}

bool csv_is_amount(const char *hint)
{
    static const char *const options[] = {"--decimal", "--thousands",
                                          "--strip"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (text_starts(hint, options[i]))
            return true;
    }
    return hint &&
           (strstr(hint, CSV_HINT_LIMIT) || strstr(hint, CSV_HINT_MINUS));
}

bool csv_too_long(const char *name, uint64_t line, struct error *e)
{
    char room[QUOTE_MAX];
    return error_set(e, ERROR_DATA,
                     "%s:%" PRIu64 ": a record of over %d MiB (is a quote "
                     "never closed?)",
                     escape(room, name), line, CSV_RECORD_MAX >> 20);
}

bool csv_never_closed(const char *name, struct csv_dialect dialect,
                      uint64_t line, struct csv_span record, struct error *e)
{
    char place[CSV_PLACE_MAX];
    enum csv_state state = CSV_RECORD;
    const char *opened = record.at;
    for (size_t i = 0; i < record.bytes; i++) {
        unsigned char byte = (unsigned char)record.at[i];
        if (byte == dialect.quote && state <= CSV_FIELD)
            opened = record.at + i;
        state = csv_step(state, byte, dialect);
    }
    csv_place(place, name, line, record.at, opened, dialect);
    return error_set(e, ERROR_DATA, "%s: a quote that is never closed", place);
}
