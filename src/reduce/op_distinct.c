/* SPDX-License-Identifier: MIT */
/* Operations on distinct values. */
#include "reduce/op_rows.h"

/* The state that has the distinct values: with their counts, if some operation
 * asks for those. */
static const struct distinct *distinct_of(const struct totals *t)
{
    return t->state[MONOID_tallies] ? &t->state[MONOID_tallies]->distinct
                                    : &t->state[MONOID_distinct]->distinct;
}

static struct distinct_mode mode_of(const struct totals *t)
{
    return distinct_most(distinct_of(t), t->dtype, t->nan == NAN_SKIP);
}

static struct value mode_value(const struct totals *t)
{
    const struct distinct_mode mode = mode_of(t);
    if (t->is_text)
        return value_text(mode.text, mode.bytes);
    if (mode.wide.magnitude)
        return value_integer(mode.wide.negative, mode.wide.magnitude, 0);
    return op_element_value(t, mode.bits);
}

static uint64_t estimate(const struct totals *t)
{
    const struct sketch *s = &t->state[MONOID_sketch]->sketch;
    return sketch_estimate(s) + (s->has_nan && t->nan != NAN_SKIP);
}

FINISH(nunique,
       value_unsigned(distinct_n(distinct_of(t), t->dtype, t->nan == NAN_SKIP)))
FINISH(approx_nunique, value_unsigned(estimate(t)))
FINISH(mode, mode_value(t))
FINISH(mode_count, value_unsigned(mode_of(t).count))
FINISH(mode_ties, value_unsigned(mode_of(t).ties))
