/* SPDX-License-Identifier: MIT */
#include "run/comparison.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "compare/step.h"
#include "output/stages.h"
#include "plan/comparison.h"
#include "reduce/float_format.h"
#include "run/places.h"

/* The results of a column, from which its values are read. */
struct compared {
    const struct plan *plan;
    const struct compare_result *result;
    const struct compare_tally *tally;
    size_t column;
    /* For --digits: rounds reals; NULL: no rounding. */
    struct decimals *decimals;
};

static bool are_integers(const struct plan *plan)
{
    return !dtype_is_float(plan->inputs[0].dtype) &&
           !dtype_is_float(plan->inputs[1].dtype);
}

/* A real, rounded if --digits is given. */
static struct value real_of(const struct compared *c, double x)
{
    struct value value = value_real(x, DTYPE_f64);
    if (c->decimals && isfinite(x)) {
        decimals_put_double(c->decimals, x);
        value.text = c->decimals->text;
    }
    return value;
}

static const struct compare_worst *worst_of(const struct compare_tally *t)
{
    return t->beyond.index == INDEX_NONE ? &t->absolute : &t->beyond;
}

/* The greatest difference. Between integers it is an integer if 64 bits hold
 * it. */
static struct value difference_of(const struct compared *c)
{
    const struct compare_worst *worst = worst_of(c->tally);
    const struct input *inputs = c->plan->inputs;
    const uint64_t bits = worst->bits;
    const bool is_exact = c->result->unit == DTYPE_u64 ||
                          compare_is_mixed(inputs[0].dtype, inputs[1].dtype);
    if (is_exact && worst == &c->tally->absolute)
        return value_unsigned(bits);
    if (are_integers(c->plan) && double_of_bits(bits) < 0x1p64)
        return value_unsigned((uint64_t)double_of_bits(bits));
    return real_of(c, double_of_bits(bits));
}

/* Each read_ function below reads one value of the column. */
typedef bool read_fn(const struct compared *c, struct value *out,
                     struct error *e);

#define READ(name, expression)                                           \
    static bool read_##name(const struct compared *c, struct value *out, \
                            struct error *e)                             \
    {                                                                    \
        const struct compare_tally *t = c->tally;                        \
        (void)t, (void)e;                                                \
        *out = (expression);                                             \
        return true;                                                     \
    }

/* The value, or none if no pairs without NaN were compared. */
static struct value if_any(const struct compared *c, struct value value)
{
    const struct compare_tally *t = c->tally;
    return t->pairs > t->nans.either ? value : value_none();
}

static struct value steps_of(const struct compared *c)
{
    const struct input *inputs = c->plan->inputs;
    if (are_integers(c->plan))
        return difference_of(c);
    return compare_has_steps(inputs[0].dtype, inputs[1].dtype)
               ? value_unsigned(c->tally->steps)
               : value_none();
}

static struct value index_of(uint64_t index)
{
    return index == INDEX_NONE ? value_none() : value_unsigned(index);
}

static struct value line_of(const struct compared *c)
{
    const struct compare_tally *t = c->tally;
    const uint64_t worst = worst_of(t)->index;
    const uint64_t index = worst == INDEX_NONE ? t->first_mismatch : worst;
    uint64_t line = 0;
    if (index != INDEX_NONE && c->result->notes.n > 0)
        lines_find(&c->result->notes, &index, &line, 1);
    return line ? value_unsigned(line) : value_none();
}

READ(count, value_unsigned(t->pairs))
READ(mismatches, value_unsigned(t->mismatches))
READ(first_mismatch, index_of(t->first_mismatch))
READ(max_abs, if_any(c, difference_of(c)))
READ(argmax_abs, index_of(worst_of(t)->index))
READ(max_rel, if_any(c, real_of(c, double_of_bits(t->relative.bits))))
READ(argmax_rel, index_of(t->relative.index))
READ(max_ulp, if_any(c, steps_of(c)))
READ(line, line_of(c))
READ(nan_mismatches, value_unsigned(t->nans.one))
READ(missing_mismatches, value_unsigned(t->one_missing))

/* Reads the exact sum of squares of the pairs without NaN. The sum is empty if
 * no pair differs. */
static bool read_rms(const struct compared *c, struct value *out,
                     struct error *e)
{
    const uint64_t n = c->tally->pairs - c->tally->nans.either;
    const struct totals totals = {
        .dtype = c->result->unit,
        .n = n,
        .rows = n,
        .state = {[MONOID_sumsq] =
                      states_at(&c->result->squares, c->column, MONOID_sumsq)},
        .decimals = c->decimals};
    if (worst_of(c->tally)->index != INDEX_NONE)
        return op_finish(op_find("rms"), &totals, out, e);
    *out = n > 0 ? real_of(c, 0) : value_none();
    return true;
}

static read_fn *const readers[COMPARISON_OPS_END] = {
#define READER(name, shown, about) [COMPARISON_##name] = read_##name,
    COMPARISON_OPS(READER)
#undef READER
};

/* The counts that JSON adds to the operations: those after the ops. */
static struct value tally_of(const struct compared *c, size_t op)
{
    const struct compare_tally *t = c->tally;
    const size_t *const tally = c->plan->tally;
    if (op == tally[PLAN_ROWS])
        return value_unsigned(t->pairs + t->missing);
    return value_unsigned(op == tally[PLAN_MISSING] ? t->missing
                          : op == tally[PLAN_NAN]   ? t->nans.either
                                                    : 0);
}

static bool add_column(const struct compared *c, struct values *values,
                       struct error *e)
{
    for (size_t i = 0; i < c->plan->ops; i++) {
        struct value value;
        if (i >= COMPARISON_OPS_END)
            value = tally_of(c, i);
        else if (!readers[i](c, &value, e))
            return false;
        if (!values_add(values, &value, e))
            return false;
    }
    return true;
}

static bool add_columns(const struct plan *plan,
                        const struct compare_result *result,
                        struct answers *answers, struct error *e)
{
    struct decimals decimals = {.digits = plan->digits};
    const struct dataset *d = &plan->datasets[0];
    for (size_t i = 0; i < d->rows; i++) {
        const struct compared c = {plan, result, &result->tally[i], i,
                                   plan->has_digits ? &decimals : NULL};
        if (!add_column(&c, &answers->values, e))
            return false;
    }
    return answers_add_part(
        answers, d, &(struct answers_run){result->rows, 0, result->bytes, 1},
        &result->notes, e);
}

static void report(const struct plan *plan, struct sink *sink,
                   const struct compare_result *result, double wall)
{
    if (!plan->verbose)
        return;
    FILE *to = sink_hold(sink);
    fprintf(to, "device cpu, %u thread%s\n", plan->settings.threads,
            plan->settings.threads == 1 ? "" : "s");
    stages_print(to, plan->settings.meter, wall, result->bytes);
    sink_resume(sink);
}

static void note_rounded(const struct plan *plan,
                         const struct compare_result *result)
{
    for (int i = 0; i < 2; i++) {
        const uint64_t n = result->rounded[i];
        if (n > 0)
            notes_add(plan->csv.notes, "rounded", NOTE_COUNTED,
                      plan->inputs[i].name,
                      "rounded %" PRIu64 " integer%s that f64 cannot hold; "
                      "some that differ may match",
                      n, n == 1 ? "" : "s");
    }
}

bool comparison_run(const struct plan *plan, struct sink *sink,
                    struct answers *answers, bool *different, struct error *e)
{
    const struct compare_job job = comparison_job(plan);
    const uint64_t start = meter_now();
    struct compare_result result;
    *different = false;
    if (!compare_run(&job, plan->inputs, &result, e))
        return false;
    note_rounded(plan, &result);
    report(plan, sink, &result, 1e-9 * (double)(meter_now() - start));
    for (size_t i = 0; i < job.columns; i++)
        *different |= result.tally[i].mismatches > 0;
    bool ok = add_columns(plan, &result, answers, e) &&
              inputs_are_unchanged(plan->inputs, plan->input_count, e);
    if (ok && plan->verbose) {
        places_print(sink_hold(sink), answers);
        sink_resume(sink);
    }
    compare_result_free(&result);
    return ok;
}
