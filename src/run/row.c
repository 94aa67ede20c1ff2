/* SPDX-License-Identifier: MIT */
#include "run/row.h"

#include <inttypes.h>

#include "base/quote.h"
#include "csv/schema/texts.h"
#include "run/places.h"

bool row_blame(const struct dataset *d, size_t column, const struct error *why,
               struct error *e)
{
    char file[QUOTE_MAX] = "", name[GROUP_NAME_MAX] = "";
    if (d->count == 1)
        quote(file, d->inputs[0].name);
    if (column != ROW_NO_COLUMN && d->table && d->table->fields > 1)
        dataset_group_name(name, d->names, dataset_pairing(d), column);
    return error_set(e, why->kind, "%s%s%s%s%.2000s", file, *file ? ": " : "",
                     name, *name ? ": " : "", why->text);
}

/* Adds the place in its file to an error about an element, if there are several
 * files or parts of one. Returns false. */
static bool add_place(const struct dataset *d, uint64_t index, struct error *e)
{
    char file[QUOTE_MAX];
    const struct error why = *e;
    if (d->has_axes)
        return false;
    const struct input *input = place_of_element(d, &index);
    const bool is_part_of_text =
        input->table && input->table->part_line > input->table->line;
    if (d->count == 1 && input->before == 0 && !is_part_of_text)
        return false;
    index += input->before / dtype_info(input->dtype)->size;
    return error_set(e, why.kind, "%.1500s\nIt is element %" PRIu64 " of %s%s.",
                     why.text, index, is_part_of_text ? "this part of " : "",
                     quote(file, input->name));
}

bool row_finish(const struct dataset *d, size_t column, const struct op *op,
                const struct totals *t, struct value *out, struct error *e)
{
    struct error why;
    if (op_finish(op, t, out, &why))
        return true;
    const union state *s = t->nan == NAN_ERROR ? t->state[MONOID_count] : NULL;
    if (s && s->count.nan > 0)
        add_place(d, s->count.first_nan, &why);
    return row_blame(d, column, &why, e);
}

struct totals row_totals(const struct plan *plan, const struct dataset *d,
                         const struct states *states, size_t column)
{
    const struct tally *tally = &states->tally[column];
    struct totals totals = {
        .dtype = d->job.pairing.kind ? d->job.dtype
                                     : schema_dtype(&states->schema, column),
        .nan = plan->nan,
        .interpolation = plan->interpolation,
        .empty = d->empty,
        .is_bool = dataset_is_bool(d, column),
        .n = tally->n,
        .rows = tally_rows(tally),
        .missing = tally->missing,
        .bad = tally->bad,
        .is_text = dataset_is_text(d, column)};
    if (totals.is_text && states->text)
        totals.text = &states->text[column];
    if (states->folded)
        totals.folded = &states->folded[column];
    for (int m = 0; m < MONOIDS_END; m++)
        totals.state[m] = states->bank[m] ? states_at(states, column, m) : NULL;
    return totals;
}

bool row_check(const struct dataset *d, size_t column, const struct totals *t,
               struct error *e)
{
    if (t->bad > 0 && t->n == 0 && d->job.pairing.kind)
        return pairing_may_be_empty(&d->job.pairing, column) ||
               error_set(e, ERROR_DATA,
                         "no record is left: %" PRIu64 " have a bad cell%s and "
                         "%" PRIu64 " a missing one",
                         t->bad,
                         d->job.pairing.kind == PAIRING_WEIGHTS ? " or weight"
                                                                : "",
                         t->missing);
    if (t->bad > 0 && t->n == 0)
        return error_set(e, ERROR_DATA,
                         "each of its %" PRIu64 " cells is bad: not a number "
                         "of this type\nChoose other columns with --columns, "
                         "or another --dtype.%s",
                         t->bad,
                         d->table && csv_is_text_column(d->table, column)
                             ? CSV_TEXT_HELP
                             : "");
    return op_check_bool(t, e) ||
           add_place(d, t->state[MONOID_extrema]->extrema.max.index, e);
}
