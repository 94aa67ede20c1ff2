/* SPDX-License-Identifier: MIT */
/* Chooses the columns of a table, its column of weights and those of keys. */
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

/* Adds a field to the columns, unless it is one. Returns the column's number.
 */
static size_t add_field(struct csv_table *table, uint32_t field)
{
    size_t i = 0;
    while (i < table->columns && table->field_of[i] != field)
        i++;
    table->field_of[i] = field;
    table->columns += i == table->columns;
    return i;
}

/* Adds the column of weights. It is also reduced if --columns lists it. */
static bool add_weights(struct csv_table *table, const struct csv_choice *c,
                        uint32_t field, struct error *e)
{
    if (table->valued == 0 && !c->settings->computes)
        return error_named(e, ERROR_USAGE, c->file,
                           "there is no column of numbers besides that of "
                           "--weights");
    table->has_weight = true;
    table->weight = add_field(table, field);
    return true;
}

/* Excludes fields that are not reduced by default: those of weights and keys.
 */
static void exclude_fields(struct csv_table *table, const uint32_t *field,
                           size_t n)
{
    for (size_t i = 0; i < n; i++)
        csv_select_field(table, field[i]);
    table->columns = 0;
}

/* Finds the fields of the keys, without selecting columns. */
static bool find_keys(struct csv_table *table, const struct csv_choice *c,
                      uint32_t field[CSV_KEYS_MAX], struct error *e)
{
    if (!csv_select_list(table, c, "by", c->settings->by, e))
        return false;
    if (table->columns > CSV_KEYS_MAX)
        return error_named(e, ERROR_USAGE, c->file,
                           "--by takes at most %d columns, not %zu",
                           CSV_KEYS_MAX, table->columns);
    table->keys = table->columns;
    for (size_t k = 0; k < table->keys; k++) {
        field[k] = table->field_of[k];
        table->taken[field[k] / 8] &= (unsigned char)~(1u << field[k] % 8);
    }
    table->columns = 0;
    return true;
}

/* Adds the columns of the keys. They are also reduced if --columns lists
 * them. */
static bool add_keys(struct csv_table *table, const struct csv_choice *c,
                     const uint32_t field[CSV_KEYS_MAX], struct error *e)
{
    if (table->valued == 0 && !c->settings->spec.rows_only &&
        !c->settings->computes)
        return error_named(e, ERROR_USAGE, c->file,
                           "there is no column of numbers besides those of "
                           "--by\nTo count records, say -o rows.");
    for (size_t k = 0; k < table->keys; k++)
        table->key_of[k] = (uint32_t)add_field(table, field[k]);
    return true;
}

bool csv_choose(struct csv_table *table, const struct csv_choice *c,
                struct error *e)
{
    const struct csv_settings *w = c->settings;
    uint32_t weights = 0, keys[CSV_KEYS_MAX];
    if (table->fields == 0 &&
        (w->others_follow || (!w->columns && !w->weights && !w->by))) {
        table->columns_reason = "there is no record";
        return true;
    }
    if (w->weights && !find_weights(table, c, &weights, e))
        return false;
    if (w->by && !find_keys(table, c, keys, e))
        return false;
    if (w->exclude && !csv_exclude_list(table, c, w->exclude, e))
        return false;
    if (w->weights && !w->columns)
        exclude_fields(table, &weights, 1);
    if (!w->columns)
        exclude_fields(table, keys, table->keys);
    if (!csv_choose_columns(table, c, e))
        return false;
    table->valued = table->columns;
    if (w->weights && !add_weights(table, c, weights, e))
        return false;
    if (w->by && !add_keys(table, c, keys, e))
        return false;
    if (table->columns == 0 && !w->computes)
        return error_named(e, ERROR_USAGE, c->file,
                           "--exclude leaves no column to reduce");
    return csv_add_used(table, c, e) && csv_note_literals(table, c, e);
}
