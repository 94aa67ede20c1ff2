/* SPDX-License-Identifier: MIT */
/* Operations that count. */
#include "reduce/op_rows.h"

static const struct count *count_of(const struct totals *t)
{
    return &t->state[MONOID_count]->count;
}

static uint64_t nonzero_of(const struct totals *t)
{
    const struct count *c = count_of(t);
    return c->nonzero - (t->nan == NAN_SKIP ? c->nan : 0);
}

FINISH(rows, value_unsigned(t->rows))
FINISH(count, value_unsigned(n))
FINISH(n_missing, value_unsigned(t->missing))
FINISH(n_bad, value_unsigned(t->bad))
/* Other passes count the bins: see histogram.h. */
FINISH(histogram, value_unsigned(n))
FINISH(n_nan, value_unsigned(op_nans(t, MONOIDS_ALL)))
FINISH(n_inf, value_unsigned(count_of(t)->inf))
FINISH(any, value_unsigned(nonzero_of(t) > 0))
FINISH(alltrue, value_unsigned(nonzero_of(t) == n))
