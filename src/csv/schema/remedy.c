/* SPDX-License-Identifier: MIT */
#include "csv/schema/remedy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "csv/schema/sniff.h"
#include "csv/structure/record.h"

/* Lines at the start of the sample that --comment '#' would leave out. */
static uint64_t count_comments(const struct csv_table *table,
                               const struct csv_choice *c)
{
    const struct csv_span *s = &c->sample;
    size_t at = csv_skip_lines(*s, 0, table->dialect);
    uint64_t lines = 0;
    while (at < s->bytes && s->at[at] == '#') {
        const char *end = memchr(s->at + at, table->dialect.end, s->bytes - at);
        at = end ? (size_t)(end - s->at) + 1 : s->bytes;
        lines++;
    }
    return lines;
}

/* How many lines to skip before the table; 0: that does not help. */
static uint64_t lines_before(const struct csv_table *table,
                             const struct csv_choice *c)
{
    if (table->fields > 1)
        return csv_lines_above_numbers(c->sample, c->is_all, c->settings,
                                       table->dialect);
    return c->settings->delimiter == CSV_AUTO
               ? csv_lines_before(c->sample, c->is_all, c->settings,
                                  table->dialect.end)
               : 0;
}

bool csv_remedy(const struct csv_table *table, const struct csv_choice *c,
                char hint[CSV_HINT_MAX])
{
    const bool is_unsplit =
        c->settings->delimiter == CSV_AUTO && table->fields == 1;
    const uint64_t lines = lines_before(table, c);
    const uint64_t comments = count_comments(table, c);
    if (comments > 0 && lines <= comments)
        snprintf(hint, CSV_HINT_MAX, "Try --comment '#'");
    else if (table->fields == 1 && c->look->seen[0].commas > 0)
        snprintf(hint, CSV_HINT_MAX,
                 "Try --decimal , if 1,5 is one number here, or -d , if it is "
                 "two");
    else if (lines > 0)
        snprintf(hint, CSV_HINT_MAX,
                 "Its first record is unlike those below it: try "
                 "--skip-lines %" PRIu64,
                 lines);
    else if (is_unsplit && csv_needs_padding(c->sample, c->is_all, c->settings,
                                             table->dialect.end))
        snprintf(hint, CSV_HINT_MAX,
                 "Try -d blank --ragged pad if blanks separate the fields and "
                 "surplus words belong to the last one");
    else
        snprintf(hint, CSV_HINT_MAX,
                 "Choose columns with --columns, or another --delimiter");
    return lines > 0;
}
