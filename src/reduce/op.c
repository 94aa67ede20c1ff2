/* SPDX-License-Identifier: MIT */
#include "reduce/op.h"

#include <inttypes.h>
#include <math.h>

#include "reduce/op_rows.h"

static const struct op table[] = {
#define OP_ROW(name, about, monoids, in_all, shown, identity) \
    {#name, about, monoids, in_all, shown, finish_##name, identity},
    OPS(OP_ROW)
#undef OP_ROW
};

const struct op *op_at(size_t i)
{
    return i < sizeof table / sizeof table[0] ? &table[i] : NULL;
}

bool op_reads_cells(const struct op *op)
{
    return op->finish != finish_rows;
}

bool op_reads_texts(const struct op *op)
{
    return op->monoids &
           (MONOID_BIT(distinct) | MONOID_BIT(tallies) | MONOID_BIT(sketch));
}

bool op_takes_text(const struct op *op)
{
    return op->finish == finish_rows || op->finish == finish_count ||
           op->finish == finish_n_missing || op->finish == finish_first ||
           op->finish == finish_last || op_reads_texts(op);
}

bool op_is_fold(const struct op *op)
{
    return op->finish == finish_reduce;
}

bool op_is_mode(const struct op *op)
{
    return op->finish == finish_mode;
}

bool op_is_histogram(const struct op *op)
{
    return op->finish == finish_histogram;
}

const struct op *op_element(const struct op *op)
{
    return op->finish == finish_argmin   ? op_find("min")
           : op->finish == finish_argmax ? op_find("max")
                                         : NULL;
}

bool op_counts_nans(unsigned set)
{
    int m = 0;
    while (m < MONOIDS_END && !(set >> m & 1 && monoids[m].nans))
        m++;
    return m < MONOIDS_END;
}

uint64_t op_nans(const struct totals *t, unsigned set)
{
    for (int m = 0; m < MONOIDS_END; m++) {
        if (set >> m & 1 && monoids[m].nans && t->state[m])
            return monoids[m].nans(t->state[m]);
    }
    return 0;
}

unsigned op_monoids(const struct op *op, enum nan_mode nan)
{
    unsigned set = op->monoids;
    if (nan == NAN_ERROR || (nan == NAN_SKIP && set == 0))
        set |= MONOID_BIT(count);
    return set;
}

bool op_check_nans(const struct totals *t, struct error *e)
{
    return t->nan != NAN_ERROR || op_nans(t, MONOIDS_ALL) == 0 ||
           error_set(e, ERROR_DATA,
                     "element %" PRIu64 " is NaN; --nan skip leaves NaN out",
                     t->state[MONOID_count]->count.first_nan);
}

static bool finish(const struct op *op, const struct totals *t,
                   struct value *out, struct error *e)
{
    if (!op_check_nans(t, e))
        return false;
    uint64_t n = t->n;
    if (t->nan == NAN_SKIP)
        n -= op_nans(t, op_monoids(op, t->nan));
    if (n > 0 || !op->identity)
        return op->finish(t, n, out, e);
    if (t->empty == EMPTY_ERROR)
        return error_set(e, ERROR_DATA,
                         "%s is undefined for empty input; --empty identity "
                         "prints its identity",
                         op->name);
    *out = t->empty == EMPTY_BLANK ? value_none()
           : t->is_text            ? value_text("", 0)
                                   : op->identity(t->dtype);
    if (t->is_bool && out->kind == VALUE_INTEGER && out->word[0] > 1)
        *out = value_unsigned(1);
    return true;
}

bool op_check_bool(const struct totals *t, struct error *e)
{
    if (!t->is_bool || !t->state[MONOID_extrema])
        return true;
    const struct extremum *max = &t->state[MONOID_extrema]->extrema.max;
    if (max->index == INDEX_NONE || max->bits <= 1)
        return true;
    return error_set(e, ERROR_DATA,
                     "element %" PRIu64 " is %" PRIu64
                     ", but a bool is 0 or 1; of raw data, "
                     "--dtype u8 reads other values",
                     max->index, max->bits);
}

bool op_finish(const struct op *op, const struct totals *t, struct value *out,
               struct error *e)
{
    struct decimals *decimals = t->decimals;
    struct totals of_op = *t;
    of_op.percent = op_percent(op);
    if (decimals)
        decimals->text[0] = '\0';
    if (!finish(op, &of_op, out, e))
        return false;
    if (decimals && out->kind == VALUE_REAL && isfinite(out->real)) {
        /* Results of exact states were written already. */
        if (decimals->text[0] == '\0')
            decimals_put_double(decimals, out->real);
        out->text = decimals->text;
    }
    return true;
}
