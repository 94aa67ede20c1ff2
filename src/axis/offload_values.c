/* SPDX-License-Identifier: MIT */
/* Computes values of operations from the answers of a device. */
#include <math.h>
#include <string.h>

#include "axis/offload.h"
#include "reduce/state.h"

/* The monoids whose states can be made from answers. Sums of floats are not
 * among them: an answer is their value, not a state. */
static const struct {
    enum monoid monoid;
    enum measure measure;
    enum exact_map map;
} measured[] = {{MONOID_sum, MEASURE_SUM, EXACT_VALUE},
                {MONOID_sumabs, MEASURE_SUMABS, EXACT_MAGNITUDE},
                {MONOID_sumsq, MEASURE_SUMSQ, EXACT_SQUARE},
                {MONOID_count, MEASURE_COUNT, 0},
                {MONOID_extrema, MEASURE_EXTREMA, 0},
                {MONOID_absextrema, MEASURE_ABSEXTREMA, 0}};

enum { MEASURED = sizeof measured / sizeof measured[0] };

/* Operations whose value is an answer. */
static const struct {
    const char *op;
    enum measure measure;
} valued[] = {{"sum", MEASURE_SUM},
              {"mean", MEASURE_MEAN},
              {"l1", MEASURE_SUMABS},
              {"sumsq", MEASURE_SUMSQ}};

/* The measure that is the operation's value; MEASURES_END: the operation is
 * computed from states. */
static enum measure read_from(const struct axis_job *job, const struct op *op)
{
    for (size_t i = 0;
         dtype_is_float(job->dtype) && i < sizeof valued / sizeof valued[0];
         i++) {
        if (strcmp(valued[i].op, op->name) == 0)
            return valued[i].measure;
    }
    return MEASURES_END;
}

/* Sets *measures to those that an operation needs. False if a device's answers
 * are not enough. */
static bool measures_of(const struct axis_job *job, const struct op *op,
                        unsigned *measures)
{
    const enum measure value = read_from(job, op);
    unsigned set = op_monoids(op, NAN_PROPAGATE);
    *measures = 0;
    if (value != MEASURES_END) {
        *measures = 1u << value;
        return true;
    }
    set |= op_monoids(op, job->nan);
    for (size_t i = 0; i < MEASURED; i++) {
        const bool is_value =
            measured[i].measure < MEASURE_SUMS && dtype_is_float(job->dtype);
        if (is_value || !(set & (1u << measured[i].monoid)))
            continue;
        set &= ~(1u << measured[i].monoid);
        *measures |= 1u << measured[i].measure;
    }
    return set == 0;
}

unsigned offload_measures(const struct axis_job *job)
{
    unsigned all = 0, some;
    for (size_t i = 0; i < job->ops; i++) {
        if (!measures_of(job, job->op[i], &some))
            return 0;
        all |= some;
    }
    return all;
}

size_t offload_answer_bytes(const struct axis_job *job)
{
    const unsigned measures = offload_measures(job);
    const size_t size = dtype_info(job->dtype)->size;
    size_t bytes = 0;
    for (int m = 0; m < MEASURES_END; m++) {
        if (measures >> m & 1)
            bytes += m < MEASURE_SUMS
                         ? axis_sum_bytes((enum measure)m, job->dtype)
                     : m == MEASURE_COUNT ? 12
                                          : 2 * size + 12;
    }
    return bytes;
}

/* The states of one output, made from answers. */
struct made {
    struct exact sum[3];
    union state count, extrema, absextrema;
};

static void make_sum(const struct axis_job *job, struct exact *x, size_t which,
                     const struct axis_answers *a, size_t i)
{
    const enum measure m = measured[which].measure;
    uint64_t word[2];
    exact_init(x, job->dtype, measured[which].map);
    x->not_negative_zero = true;
    if (axis_sum_bytes(m, job->dtype) == 16) {
        memcpy(word, (const uint64_t *)a->sum[m] + 2 * i, sizeof word);
    } else {
        memcpy(word, (const uint64_t *)a->sum[m] + i, sizeof *word);
        word[1] = (int64_t)word[0] < 0 ? UINT64_MAX : 0;
    }
    exact_add_shifted(x, (__int128)((unsigned __int128)word[1] << 64 | word[0]),
                      0);
}

static struct extremum extremum_of(const struct axis_job *job, const void *bits,
                                   const uint32_t *at, size_t i)
{
    const size_t size = dtype_info(job->dtype)->size;
    if (at[i] == AXIS_AT_NONE)
        return (struct extremum){0, 0, INDEX_NONE};
    return (struct extremum){
        0, dtype_load(job->dtype, (const char *)bits + i * size), at[i]};
}

/* The number of NaN is unknown: all elements are NaN if there is no extreme;
 * else 1 is assumed. */
static void make_extrema(const struct axis_job *job, struct extrema *x,
                         const struct axis_extremes *from, size_t i)
{
    const uint32_t nan = from->first_nan[i];
    extrema_init(x);
    x->min = extremum_of(job, from->least, from->least_at, i);
    x->max = extremum_of(job, from->greatest, from->greatest_at, i);
    if (nan == AXIS_AT_NONE)
        return;
    x->first_nan = nan;
    x->nans = x->min.index == INDEX_NONE ? geometry_each(&job->geometry) : 1;
}

/* Makes the states of output number i from the answers. */
static void make(const struct axis_job *job, const struct axis_answers *a,
                 size_t i, struct made *made, struct totals *totals)
{
    for (size_t s = 0; s < 3; s++) {
        if (!a->sum[measured[s].measure] || dtype_is_float(job->dtype))
            continue;
        make_sum(job, &made->sum[s], s, a, i);
        totals->state[measured[s].monoid] = (union state *)&made->sum[s];
    }
    if (a->nan) {
        made->count.count =
            (struct count){a->nan[i], a->inf[i], a->nonzero[i], INDEX_NONE};
        totals->state[MONOID_count] = &made->count;
    }
    if (a->extremes[0].least) {
        make_extrema(job, &made->extrema.extrema, &a->extremes[0], i);
        totals->state[MONOID_extrema] = &made->extrema;
    }
    if (a->extremes[1].least) {
        make_extrema(job, &made->absextrema.extrema, &a->extremes[1], i);
        totals->state[MONOID_absextrema] = &made->absextrema;
    }
}

/* The index in the sink of an operation's value for an output. */
static size_t at_of(const struct tile *t, uint64_t output, size_t op)
{
    const struct axis_job *job = t->job;
    return t->sink->first +
           (size_t)geometry_output(&job->geometry, output) * job->ops + op;
}

/* Sets the values of an operation whose values are answers. NaN under NAN_ERROR
 * is left to the host, which says where it is. */
static void put_reals(const struct tile *t, size_t op, const double *x,
                      uint64_t first, size_t n, bool *again)
{
    const struct axis_job *job = t->job;
    struct values *values = t->sink->values;
    struct error unused; /* these values take no memory */
    for (size_t i = 0; job->nan == NAN_ERROR && i < n; i++)
        again[i] |= isnan(x[i]);
    if (!job->geometry.is_fortran) {
        values_set_reals(values, at_of(t, first, op), job->ops, x, n,
                         DTYPE_f64);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const struct value value = value_real(x[i], DTYPE_f64);
        values_set(values, at_of(t, first + i, op), &value, &unused);
    }
}

/* Sets the values of an operation that is computed from states, made from the
 * answers. An output that fails is left to the host, which fails as well and
 * words the error. */
static void put_read(const struct tile *t, const struct axis_answers *a,
                     uint64_t first, size_t i, bool *again)
{
    const struct axis_job *job = t->job;
    const uint64_t each = geometry_each(&job->geometry);
    struct made made;
    struct value value;
    struct error unused;
    struct totals totals = {.dtype = dtype_info(job->dtype)->computed,
                            .nan = job->nan,
                            .empty = job->empty,
                            .n = each,
                            .rows = each};
    make(job, a, i, &made, &totals);
    for (size_t op = 0; op < job->ops && !*again; op++) {
        if (read_from(job, job->op[op]) == MEASURES_END)
            *again =
                !op_finish(job->op[op], &totals, &value, &unused) ||
                !values_set_locked(t->sink->values, &t->sink->lock,
                                   at_of(t, first + i, op), &value, &unused);
    }
}

static void note_doubtful(const struct axis_answers *a, size_t n, bool *again)
{
    for (int m = 0; m < MEASURE_SUMS; m++) {
        if (a->sum[m] && a->doubtfuls[m] == UINT64_MAX)
            memset(again, true, n * sizeof *again);
        else
            for (uint64_t i = 0; a->sum[m] && i < a->doubtfuls[m]; i++)
                again[a->doubtful[m][i]] = true;
    }
}

void offload_values(const struct tile *t, const struct axis_answers *answers,
                    uint64_t first, size_t n, bool *again)
{
    const struct axis_job *job = t->job;
    bool all_real = true;
    memset(again, false, n * sizeof *again);
    note_doubtful(answers, n, again);
    for (size_t op = 0; op < job->ops; op++) {
        const enum measure m = read_from(job, job->op[op]);
        all_real &= m != MEASURES_END;
        if (m != MEASURES_END)
            put_reals(t, op, answers->sum[m], first, n, again);
    }
    for (size_t i = 0; !all_real && i < n; i++)
        put_read(t, answers, first, i, &again[i]);
}
