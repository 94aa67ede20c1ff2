/* SPDX-License-Identifier: MIT */
#include "plan/axes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "axis/offload.h"
#include "backend/registry.h"
#include "base/quote.h"
#include "base/terminal.h"
#include "cli/options.h"
#include "format/format.h"

static bool check_output(const struct options *o, struct error *e)
{
    if (o->form != FORM_npy)
        return true;
    if (o->ops != 1 || o->per_file || o->compare)
        return error_set(e, ERROR_USAGE,
                         "-O npy writes the results of one operation as an "
                         "array%s; say -o sum, or another",
                         o->per_file  ? ", without --per-file"
                         : o->compare ? ", without --compare"
                                      : "");
    if (o->has_digits)
        return error_set(e, ERROR_USAGE,
                         "--digits and -O npy exclude each other: an array "
                         "has numbers and no text");
    if (!o->explain && terminal_is(STDOUT_FILENO))
        return error_set(e, ERROR_USAGE,
                         "-O npy is binary and standard output is a terminal; "
                         "say > FILE.npy");
    return true;
}

static bool check_ops(const struct options *o, struct error *e)
{
    for (size_t i = 0; i < o->ops; i++) {
        if (op_is_histogram(o->op[i]) && !options_given(o, "range"))
            return error_set(e, ERROR_USAGE,
                             "%s along an axis needs --range A,B, so that all "
                             "outputs have the same bins",
                             o->op[i]->name);
        if (op_is_histogram(o->op[i]) && o->assertions > 0)
            return error_set(e, ERROR_USAGE,
                             "--assert cannot be combined with a histogram "
                             "along an axis; assert in a separate run");
    }
    return true;
}

bool axes_check(const struct options *o, struct error *e)
{
    const char *other = options_given_of(o, "compare weights");
    if (!check_output(o, e))
        return false;
    if (o->axis.axes == 0)
        return (o->axis.rank == 0 && !o->axis.keeps) ||
               error_set(e, ERROR_USAGE,
                         "--%s is for --axis, which says what is reduced",
                         o->axis.rank ? "shape" : "keepdims");
    if (!check_ops(o, e))
        return false;
    if (other)
        return error_set(e, ERROR_USAGE, "--axis and --%s exclude each other",
                         other);
    if (o->assertions > 0 && o->empty == EMPTY_IDENTITY)
        return error_set(e, ERROR_USAGE,
                         "--assert with --axis and --empty identity exclude "
                         "each other: an output without a value is missing in "
                         "a condition; leave out --empty");
    if (o->per_file && o->form != FORM_json && o->form != FORM_jsonl)
        return error_set(e, ERROR_USAGE,
                         "--per-file with --axis makes an array for each "
                         "FILE: say -O json or -O jsonl");
    return true;
}

void axes_resolve(struct plan *plan, const struct options *o)
{
    plan->has_axes = o->axis.axes > 0;
    plan->axes = o->axis.axes;
    plan->axes_keep = o->axis.keeps;
    plan->shape_rank = o->axis.rank;
    memcpy(plan->axis, o->axis.axis, sizeof plan->axis);
    memcpy(plan->shape, o->axis.size, sizeof plan->shape);
}

bool axes_check_input(const struct plan *plan, const struct input *input,
                      struct error *e)
{
    if (!plan->has_axes)
        return true;
    if (input_is_text(input))
        return error_named(e, ERROR_USAGE, input->name,
                           "--axis is for arrays, and this is text; of its "
                           "columns each has a result without --axis");
    if (input->shape && plan->shape_rank > 0)
        return error_named(e, ERROR_USAGE, input->name,
                           "--shape is for raw data; this has a shape of its "
                           "own");
    if (!input->shape && plan->shape_rank == 0)
        return error_named(e, ERROR_USAGE, input->name,
                           "raw data have no shape: say --shape with the "
                           "sizes of all axes, of which one may be -1: "
                           "--shape=-1,3");
    return true;
}

static uint64_t elements_of(const struct input *input)
{
    return input->bytes == INPUT_UNKNOWN
               ? SIZE_OPEN
               : input->bytes / dtype_info(input->dtype)->size;
}

/* Sets the size that --shape leaves open. False, with the error, if the
 * elements do not fill the shape. */
static bool close_size(const struct input *input, uint64_t *size, unsigned rank,
                       struct error *e)
{
    char text[QUOTE_MAX] = "";
    uint64_t others = 1;
    const uint64_t n = elements_of(input);
    unsigned open = rank;
    for (unsigned d = 0; d < rank; d++) {
        if (size[d] == SIZE_OPEN)
            open = d;
        else if (__builtin_mul_overflow(others, size[d], &others))
            return error_set(e, ERROR_USAGE, "the shape is too large");
    }
    for (unsigned d = 0; d < rank; d++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%" PRId64,
                 d ? "," : "", (int64_t)size[d]);
    if (n == SIZE_OPEN && open > 0 && open < rank)
        return error_named(e, ERROR_USAGE, input->name,
                           "how long a stream is shows only at its end: there "
                           "only the first size of --shape may be -1");
    if (n == SIZE_OPEN)
        return true;
    if (open == rank ? others == n : others > 0 && n % others == 0) {
        if (open < rank)
            size[open] = n / others;
        return true;
    }
    return error_named(e, ERROR_DATA, input->name,
                       "its %" PRIu64 " elements do not fill --shape %s", n,
                       text);
}

/* Sets the shape of an input. An input that is opened later must have the sizes
 * of the first one, `like`, except that of axis 0, which is open. */
static bool shape_of(const struct plan *plan, const struct input *input,
                     const struct geometry *like, struct geometry *g,
                     struct error *e)
{
    g->rank = input->deferred ? like->rank : plan->shape_rank;
    if (input->deferred) {
        memcpy(g->size, like->size, sizeof g->size);
        g->size[0] = SIZE_OPEN;
        return true;
    }
    if (!input->shape) {
        memcpy(g->size, plan->shape, sizeof g->size);
        return close_size(input, g->size, g->rank, e);
    }
    if (input->rank > RANK_MAX || input->rank == 0)
        return error_named(e, ERROR_USAGE, input->name,
                           input->rank ? "it has %u axes; --axis takes arrays "
                                         "of up to %d"
                                       : "it is a single value, without axes",
                           input->rank, RANK_MAX);
    g->rank = input->rank;
    memcpy(g->size, input->shape, g->rank * sizeof *g->size);
    return true;
}

/* Appends an array along axis 0. */
static bool join(struct geometry *g, const struct geometry *next,
                 const struct input *input, struct error *e)
{
    char a[SHAPE_TEXT], b[SHAPE_TEXT];
    bool same = g->rank == next->rank;
    for (unsigned d = 1; same && d < g->rank; d++)
        same = g->size[d] == next->size[d];
    if (!same)
        return error_named(e, ERROR_USAGE, input->name,
                           "its shape is %s, which cannot be joined along "
                           "axis 0 with the %s of the FILEs before it",
                           sizes_text(b, next->size, next->rank),
                           sizes_text(a, g->size, g->rank));
    if (g->size[0] == SIZE_OPEN || next->size[0] == SIZE_OPEN)
        g->size[0] = SIZE_OPEN;
    else if (__builtin_add_overflow(g->size[0], next->size[0], &g->size[0]))
        return error_set(e, ERROR_USAGE, "the shape is too large");
    return true;
}

static bool mark_axes(const struct plan *plan, struct geometry *g,
                      const struct input *input, struct error *e)
{
    for (unsigned i = 0; i < plan->axes; i++) {
        const int64_t rank = g->rank, asked = plan->axis[i];
        const int64_t axis = asked < 0 ? asked + rank : asked;
        if (axis < 0 || axis >= rank)
            return error_named(e, ERROR_USAGE, input->name,
                               "--axis %" PRId64 ": it has %u ax%s, numbered "
                               "from 0 (or from -1, the last)",
                               asked, g->rank, g->rank == 1 ? "is" : "es");
        if (g->reduced[axis])
            return error_set(e, ERROR_USAGE,
                             "--axis names axis %" PRId64 " twice", axis);
        g->reduced[axis] = true;
    }
    return true;
}

bool axes_check_rank(const struct plan *plan, const struct geometry *g,
                     struct error *e)
{
    uint64_t size[RESULT_RANK_MAX];
    unsigned rank;
    geometry_result(g, &rank, size);
    if (plan->form != FORM_text || plan->asked != 1 || rank <= 2 || plan->save)
        return true;
    return error_set(e, ERROR_USAGE,
                     "the result has %u axes, and text shows at most 2; say "
                     "-O json, -O npy or -O csv",
                     rank);
}

bool axes_plan(const struct plan *plan, struct dataset *d, struct error *e)
{
    struct geometry g = {.keeps = plan->axes_keep, .bins = plan->bins};
    if (!plan->has_axes)
        return true;
    for (size_t i = 0; i < d->count; i++) {
        struct geometry next = {0};
        const struct input *input = &d->inputs[i];
        if (!shape_of(plan, input, &g, i == 0 ? &g : &next, e) ||
            (d->count > 1 && input->is_fortran &&
             !axis_refuse_order(input, e)) ||
            (i > 0 && !join(&g, &next, input, e)))
            return false;
    }
    g.is_fortran = d->inputs[0].is_fortran;
    if (!mark_axes(plan, &g, &d->inputs[0], e) ||
        !axes_check_rank(plan, &g, e) || !geometry_make(&g, e))
        return false;
    if (plan->save && (!g.reduced[0] || geometry_results(&g) == 0))
        return error_set(e, ERROR_USAGE,
                         g.reduced[0]
                             ? "--save-state: the array has no outputs"
                             : "--save-state with --axis needs axis 0 among "
                               "the axes, since --merge joins arrays along it");
    d->has_axes = true;
    d->geometry = g;
    d->rows = geometry_outputs(&g) == SIZE_OPEN ? 0 : geometry_results(&g);
    return true;
}

const char *axes_left(const struct plan *plan, const struct dataset *d,
                      const struct backend *backend)
{
    const struct axis_job job = {.geometry = d->geometry,
                                 .dtype = d->job.dtype,
                                 .is_bool = d->inputs[0].is_bool,
                                 .monoids = d->job.monoids,
                                 .op = plan->op,
                                 .ops = plan->ops,
                                 .nan = plan->nan,
                                 .has_digits = plan->has_digits};
    if (!backend || backend == backends[0])
        return NULL;
    return offload_left(&job, backend->axes, d->inputs, d->count);
}

void axes_close(struct dataset *d, uint64_t elements)
{
    struct geometry *g = &d->geometry;
    struct error unused;
    uint64_t place = 1;
    for (unsigned k = 1; k < g->rank; k++)
        place *= g->size[k];
    if (g->size[0] == SIZE_OPEN) {
        g->size[0] = place ? elements / place : 0;
        geometry_make(g, &unused);
    }
    d->rows = (size_t)geometry_results(g);
}
