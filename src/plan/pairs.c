/* SPDX-License-Identifier: MIT */
#include "plan/pairs.h"

#include "backend/registry.h"
#include "base/quote.h"
#include "csv/schema/names.h"
#include "format/format.h"

/* The most columns of a matrix. It has a group for each pair: 8 million for
 * 4096 columns, which take 3.5 GB. */
enum { COLUMNS_MAX = 4096 };

bool pairs_resolve(struct plan *plan, const struct options *o, struct error *e)
{
    for (size_t i = 0; i < o->ops; i++)
        plan->of_pairs |= op_of_pairs(o->op[i]);
    plan->has_weights = o->csv.weights;
    if (!(plan->of_pairs || plan->has_weights) || !o->backend ||
        o->backend == backends[0])
        return true;
    return error_set(e, ERROR_USAGE,
                     "%s is computed on the CPU alone; leave out --device %s",
                     plan->has_weights ? "a weighted result"
                                       : "a covariance or correlation",
                     o->backend->name);
}

bool pairs_leave_out(const struct plan *plan, const struct op *op)
{
    return plan->has_weights && !op_weighted(op);
}

bool pairs_take_op(const struct plan *plan, const char *says,
                   const struct op **op, struct error *e)
{
    const struct op *weighted = plan->has_weights ? op_weighted(*op) : *op;
    if (!weighted)
        return error_set(e, ERROR_USAGE,
                         "%s%s takes no weights; --weights is for sum, mean, "
                         "var, std, var_pop and std_pop",
                         says, (*op)->name);
    if (plan->of_pairs != op_of_pairs(weighted))
        return error_set(e, ERROR_USAGE,
                         "%s%s needs %s and cannot be combined with operations "
                         "on %s; ask for it in a separate run",
                         says, (*op)->name,
                         plan->of_pairs ? "one column" : "two columns",
                         plan->of_pairs ? "two, such as cov" : "one");
    *op = weighted;
    return true;
}

static bool too_few(const struct dataset *d, struct error *e)
{
    char quoted[QUOTE_MAX];
    const struct csv_span name = dataset_column_name(d->table, 0);
    return error_named(e, ERROR_USAGE, d->inputs[0].name,
                       "cov and corr need two columns or more, and %s is "
                       "the only one; choose columns with --columns",
                       quote_bytes(quoted, name.at, name.bytes));
}

/* The number of columns that are paired. */
static size_t columns_of(const struct dataset *d)
{
    return plan_is_by(d) ? d->job.by.columns
           : d->derived  ? d->derived->formulas.reduced
                         : d->table->columns;
}

/* Plans a matrix. Two columns have a single value instead if -c names them, or
 * if there are no others. */
static bool plan_matrix(const struct plan *plan, struct dataset *d,
                        struct error *e)
{
    const struct csv_table *t = d->table;
    const size_t columns = columns_of(d);
    const bool is_one =
        columns == 2 && (plan->csv.columns || t->fields == 2 || plan_is_by(d));
    struct pairing *p = plan_is_by(d) ? &d->job.by.pairing : &d->job.pairing;
    *p = (struct pairing){is_one ? PAIRING_ONE : PAIRING_MATRIX, columns, 0};
    if (columns == 0) /* no records: the result is that of empty data */
        *p = (struct pairing){PAIRING_ONE, d->job.columns = 2, 0};
    if (columns == 1)
        return too_few(d, e);
    if (columns > COLUMNS_MAX)
        return error_named(e, ERROR_USAGE, d->inputs[0].name,
                           "cov and corr take at most %d columns, not %zu; "
                           "choose some with --columns",
                           COLUMNS_MAX, columns);
    d->by_column = d->job.pairing.kind == PAIRING_MATRIX;
    return true;
}

bool pairs_plan(const struct plan *plan, struct dataset *d, struct error *e)
{
    const struct csv_table *t = d->table;
    const size_t valued = d->derived ? columns_of(d) : t->valued;
    if (plan->of_pairs && !plan_matrix(plan, d, e))
        return false;
    if (plan->has_weights) {
        d->job.pairing =
            (struct pairing){PAIRING_WEIGHTS, valued,
                             t->weight < t->valued ? t->weight : valued};
        d->by_column = valued > 1 || (!plan->csv.columns && t->fields > 2);
    }
    return formulas_pair(d, e);
}

bool pairs_check_input(const struct plan *plan, const struct input *input,
                       struct error *e)
{
    char name[QUOTE_MAX];
    if (!plan->of_pairs || input_is_text(input))
        return true;
    return error_set(e, ERROR_USAGE,
                     "%s: cov and corr need two columns, and %s data has one\n"
                     "If it is text, say --format csv.",
                     quote(name, input->name), input->format->name);
}
