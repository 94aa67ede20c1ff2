/* SPDX-License-Identifier: MIT */
#include "csv/schema/columns.h"

#include "csv/schema/header_run.h"
#include "csv/schema/left_out.h"
#include "csv/schema/names.h"
#include "csv/schema/select.h"

/* Whether a field is a column by default. For a comparison, a field with only
 * missing cells is one, too: the other table may have numbers there. */
static bool is_chosen(const struct csv_choice *c, size_t field)
{
    const struct csv_seen *seen = &c->look->seen[field];
    return c->settings->matches
               ? seen->others == 0
               : csv_is_numeric(seen, c->settings->spec.skip_bad);
}

/* Whether the first column holds row numbers, as pandas and R write them: it
 * has no name and counts the records. */
static bool is_row_number(const struct csv_table *table,
                          const struct csv_choice *c, bool *lost)
{
    return table->has_header && table->fields > 1 &&
           csv_name(table, 0).bytes == 0 &&
           csv_counts(c->look, table->dialect, &c->settings->spec, lost);
}

static bool add_numeric(struct csv_table *table, const struct csv_choice *c,
                        struct error *e)
{
    /* A comparison includes row numbers, since they may differ. */
    bool lost = false;
    bool skips_first = !c->settings->matches && is_row_number(table, c, &lost);
    bool is_excluded = false;
    bool is_empty = table->has_header && !table->has_records;
    if (lost)
        return error_memory(e);
    table->columns_reason = skips_first
                                ? "every numeric one but the row numbers"
                                : "every numeric one of the first records";
    for (size_t i = skips_first; i < table->fields; i++) {
        if (!is_empty && !is_chosen(c, i))
            continue;
        is_excluded |= csv_is_taken(table, i);
        csv_select_field(table, i);
    }
    return table->columns > 0 || is_excluded || c->settings->computes ||
           csv_no_numbers(table, c, e);
}

bool csv_choose_columns(struct csv_table *table, const struct csv_choice *c,
                        struct error *e)
{
    const struct csv_settings *w = c->settings;
    if (w->columns) {
        table->columns_reason = "as asked";
        if (w->computes && !*w->columns)
            return true;
        return csv_select_list(table, c, "columns", w->columns, e);
    }
    if (w->spec.rows_only) {
        table->columns_reason = "records are counted, no column is read";
        for (size_t i = 0; i < table->fields && table->columns == 0; i++)
            csv_select_field(table, i);
        return true;
    }
    return add_numeric(table, c, e) && csv_check_left_out(table, c, e);
}
