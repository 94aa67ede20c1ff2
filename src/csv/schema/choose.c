/* SPDX-License-Identifier: MIT */
/* Chooses the columns of a table and its column of weights. */
#include "base/quote.h"
#include "csv/schema/columns.h"
#include "csv/schema/select.h"
#include "csv/schema/used.h"

/* Finds the field of the weights, without selecting a column. */
static bool find_weights(struct csv_table *table, const struct csv_choice *c,
                         uint32_t *field, struct error *e)
{
    char quoted[QUOTE_MAX];
    const char *list = c->settings->weights;
    if (!*list)
        return error_set(e, ERROR_USAGE,
                         "--weights takes the name or number of a column");
    if (!csv_select_list(table, c, "weights", list, e))
        return false;
    if (table->columns != 1)
        return error_named(e, ERROR_USAGE, c->file,
                           "--weights takes one column, not %s; a name with a "
                           "comma goes in quotes: '\"a,b\"'",
                           quote(quoted, list));
    *field = table->field_of[0];
    table->taken[*field / 8] &= (unsigned char)~(1u << *field % 8);
    table->columns = 0;
    return true;
}

/* Adds the column of weights. It is also reduced if --columns lists it. */
static bool add_weights(struct csv_table *table, const struct csv_choice *c,
                        uint32_t field, struct error *e)
{
    size_t i = 0;
    if (table->valued == 0 && !c->settings->computes)
        return error_named(e, ERROR_USAGE, c->file,
                           "there is no column of numbers besides that of "
                           "--weights");
    while (i < table->columns && table->field_of[i] != field)
        i++;
    table->field_of[i] = field;
    table->columns += i == table->columns;
    table->has_weight = true;
    table->weight = i;
    return true;
}

/* Excludes the field of the weights, which is not reduced by default. */
static void exclude_weights(struct csv_table *table, uint32_t field)
{
    csv_select_field(table, field);
    table->columns = 0;
}

bool csv_choose(struct csv_table *table, const struct csv_choice *c,
                struct error *e)
{
    const struct csv_settings *w = c->settings;
    uint32_t weights = 0;
    if (table->fields == 0 && !w->columns && !w->weights) {
        table->columns_reason = "there is no record";
        return true;
    }
    if (w->weights && !find_weights(table, c, &weights, e))
        return false;
    if (w->exclude && !csv_exclude_list(table, c, w->exclude, e))
        return false;
    if (w->weights && !w->columns)
        exclude_weights(table, weights);
    if (!csv_choose_columns(table, c, e))
        return false;
    table->valued = table->columns;
    if (w->weights && !add_weights(table, c, weights, e))
        return false;
    if (table->columns == 0 && !w->computes)
        return error_named(e, ERROR_USAGE, c->file,
                           "--exclude leaves no column to reduce");
    return csv_add_used(table, c, e);
}
