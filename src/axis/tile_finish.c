/* SPDX-License-Identifier: MIT */
/* The end of a tile: sets values from states or lanes. */
#include <stdio.h>
#include <string.h>

#include "axis/tile.h"

/* Sets the counts of one output: [bins][ops] values. An operation after the
 * histogram counts NaN, with the first bin. */
static bool put_bins(struct tile *t, size_t at, const struct totals *totals,
                     struct error *e)
{
    struct histogram *h = &t->bins;
    const size_t ops = t->job->ops;
    memset(h->count, 0, h->bins * sizeof *h->count);
    h->below = h->above = h->nans = 0;
    histogram_add(h, &totals->state[MONOID_ranks]->ranks);
    values_set_wholes(t->sink->values, at, ops, h->count, h->bins);
    for (size_t i = 1; i < ops; i++) {
        memset(h->count, 0, h->bins * sizeof *h->count);
        h->count[0] = h->nans;
        values_set_wholes(t->sink->values, at + i, ops, h->count, h->bins);
    }
    atomic_fetch_add(&t->sink->outside, h->below + h->above);
    atomic_fetch_add(&t->sink->nans, h->nans);
    return op_check_nans(totals, e);
}

/* Sets the values of one output from its totals. Of states that are kept, only
 * finds the errors that --merge would find late. */
static bool finish(struct tile *t, uint64_t output, struct totals *totals,
                   struct error *e)
{
    const struct axis_job *job = t->job;
    const uint64_t row = geometry_output(&job->geometry, output);
    const size_t at = t->sink->first + (size_t)(row * axis_values(job));
    struct value value;
    if (!op_check_bool(totals, e))
        return false;
    if (job->keep)
        return op_check_nans(totals, e);
    if (job->histogram)
        return put_bins(t, at, totals, e);
    for (size_t i = 0; i < job->ops; i++) {
        totals->empty = i < job->asked ? job->empty : EMPTY_BLANK;
        if (!op_finish(job->op[i], totals, &value, e) ||
            !values_set_locked(t->sink->values, &t->sink->lock, at + i, &value,
                               e))
            return false;
    }
    return true;
}

/* Moves the states of output number i of the tile, which get what the job's
 * empty states own. */
static void keep(const struct axis_job *job, const struct states *from,
                 size_t i, uint64_t output)
{
    const struct states *to = job->keep;
    const size_t row = (size_t)geometry_output(&job->geometry, output);
    union state room;
    to->tally[row] = from->tally[i];
    for (int m = 0; m < MONOIDS_END; m++) {
        if (!to->bank[m])
            continue;
        memcpy(&room, states_at(to, row, m), to->size[m]);
        memcpy(states_at(to, row, m), states_at(from, i, m), to->size[m]);
        memcpy(states_at(from, i, m), &room, to->size[m]);
    }
}

/* Adds the output's indexes to the error. */
static bool blame(const struct axis_job *job, uint64_t output,
                  const struct error *why, struct error *e)
{
    const struct geometry *g = &job->geometry;
    char text[SHAPE_TEXT], what[SHAPE_TEXT + 16] = "";
    if (*output_text(text, g, geometry_output(g, output)))
        snprintf(what, sizeof what, "output %s: ", text);
    if (job->name)
        return error_named(e, why->kind, job->name, "%s%.2000s", what,
                           why->text);
    return error_set(e, why->kind, "%s%.2000s", what, why->text);
}

bool tile_finish(struct tile *t, const struct states *states, struct error *e)
{
    struct decimals decimals = {.digits = t->job->digits};
    struct totals totals = {.dtype = states->schema.dtype,
                            .nan = t->job->nan,
                            .empty = t->job->empty,
                            .is_bool = t->job->is_bool,
                            .interpolation = t->job->interpolation,
                            .decimals = t->job->has_digits ? &decimals : NULL};
    if (states_lost(states))
        return error_memory(e);
    for (size_t i = 0; i < states->groups; i++) {
        struct error why;
        totals.n = totals.rows = states->tally[i].n;
        for (int m = 0; m < MONOIDS_END; m++)
            totals.state[m] = states->bank[m] ? states_at(states, i, m) : NULL;
        if (t->quantiles)
            totals.state[MONOID_ranks] = quantiles_state(t->quantiles, i);
        if (!finish(t, t->output + i, &totals, &why))
            return blame(t->job, t->output + i, &why, e);
        if (t->job->keep)
            keep(t->job, states, i, t->output + i);
    }
    return true;
}

bool tile_finish_some(struct tile *t, size_t first, size_t end, struct error *e)
{
    struct states some = t->states;
    some.groups = end - first;
    some.tally += first;
    for (int m = 0; m < MONOIDS_END; m++)
        some.bank[m] =
            some.bank[m] ? some.bank[m] + first * some.size[m] : NULL;
    t->output += first;
    return tile_finish(t, &some, e);
}

/* Reduces one output of a box of whole outputs, by its states. */
static bool finish_slowly(struct tile *t, const struct box *b, size_t lane,
                          struct error *e)
{
    struct box one = *b;
    one.data += lane * b->lane;
    one.lanes = 1;
    one.output = 0;
    if (!tile_begin(t, b->output + lane, 1, e))
        return false;
    t->lanes->clean[0] = false;
    tile_add_slowly(t, &one);
    tile_end(t);
    return tile_finish(t, &t->states, e);
}

/* Sets those values of a clean lane that can be read from it. False if one
 * cannot be, or if memory ran out. */
static bool finish_lane(struct tile *t, size_t lane, uint64_t output)
{
    const uint64_t row = geometry_output(&t->job->geometry, output);
    const size_t at = t->sink->first + (size_t)row * t->job->ops;
    struct value value;
    struct error unused; /* finish_slowly, which does it again, has its own */
    for (size_t i = 0; i < t->job->ops; i++) {
        if (!lanes_value(t->lanes, lane, i, &value) ||
            !values_set_locked(t->sink->values, &t->sink->lock, at + i, &value,
                               &unused))
            return false;
    }
    return true;
}

/* Reduces a box of whole outputs. The context is a struct tile. */
static void finish_box(void *context, const struct box *b)
{
    struct tile *t = context;
    bool open[LANES_MAX];
    for (size_t from = 0; !t->failed && from < b->lanes;) {
        const struct box some = tile_lanes(t, b, from);
        size_t left = 0;
        lanes_run(t->lanes, &some, true);
        from += some.lanes;
        if (!t->job->geometry.is_fortran &&
            lanes_values(t->lanes, t->sink->values,
                         t->sink->first + some.output * t->job->ops))
            continue;
        for (size_t i = 0; i < some.lanes; i++) {
            open[i] =
                !t->lanes->clean[i] || !finish_lane(t, i, some.output + i);
            left += open[i];
        }
        for (size_t i = 0; left > 0 && !t->failed && i < some.lanes; i++) {
            if (open[i])
                t->failed = !finish_slowly(t, &some, i, &t->error);
        }
    }
}

/* Adds a part of whole outputs. If the job asks only for quantiles, the
 * elements are only counted here. */
static bool add_whole(struct tile *t, const struct part *p, const char *data,
                      size_t pitch, struct error *e)
{
    const uint64_t each = p->rows * t->job->geometry.inner_each;
    if (!t->quantiles || t->stepped)
        tile_add(t, p, data, pitch);
    for (size_t i = 0; !t->stepped && i < t->states.groups; i++)
        t->states.tally[i].n = each;
    return !t->quantiles || quantiles_find(t->quantiles, p, data, pitch, e);
}

bool tile_whole(struct tile *t, const struct part *p, const char *data,
                size_t pitch, struct error *e)
{
    const struct geometry *g = &t->job->geometry;
    const uint64_t output = part_output(g, p);
    t->failed = false;
    if (!t->lanes->is_direct || g->inners > 0) {
        if (!tile_begin(t, output, (size_t)part_outputs(g, p), e) ||
            !add_whole(t, p, data, pitch, e))
            return false;
        tile_end(t);
        return tile_finish(t, &t->states, e);
    }
    part_boxes(g, p, output, data, dtype_info(t->job->dtype)->size, pitch,
               finish_box, t);
    if (t->failed)
        *e = t->error;
    return !t->failed;
}
