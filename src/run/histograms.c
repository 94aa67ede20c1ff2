/* SPDX-License-Identifier: MIT */
#include "run/histograms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/row.h"

bool histograms_range(struct histogram *of, const struct plan *plan,
                      enum dtype dtype, struct error *e)
{
    const struct value low = value_real(plan->range[0], DTYPE_f64),
                       high = value_real(plan->range[1], DTYPE_f64);
    return histogram_open(of, dtype, &low, &high, plan->bins, e);
}

static bool open_histograms(struct histograms *h, const struct plan *plan,
                            const struct dataset *d, struct error *e)
{
    const struct schema schema = job_schema(&d->job);
    *h = (struct histograms){.of = calloc(schema.groups + 1, sizeof *h->of),
                             .groups = schema.groups};
    bool ok = (h->of || error_memory(e)) && passes_open(&h->passes, d, e);
    h->passes.pass.bytes = 0;
    for (size_t g = 0; ok && g < h->groups; g++) {
        const enum dtype dtype = schema_dtype(&schema, g);
        if (plan->has_range) {
            ok = histograms_range(&h->of[g], plan, dtype, e);
            h->passes.parts[g] = histogram_asks(&h->of[g]);
        } else if (d->reads_again) {
            h->passes.parts[g] = (struct rank_parts){.parts = 0};
        }
        h->passes.pass.bytes += h->passes.parts[g].bins * sizeof(uint64_t);
    }
    return ok;
}

void histograms_free(struct histogram *of, size_t n)
{
    for (size_t i = 0; of && i < n; i++)
        histogram_close(&of[i]);
    free(of);
}

const struct histogram *histogram_of_row(const struct histogram *of,
                                         const struct by_rows *by, size_t row,
                                         struct histogram *room)
{
    if (!by)
        return &of[row];
    const size_t column = row % by->columns;
    const struct by_place place = by->order.item[row / by->columns].place;
    uint64_t *count = room->count;
    uint64_t n;
    const struct ranks *ranks = by_read_ranks(by->groups, place, column, &n);
    if (!count && of[column].bins > 0)
        count = malloc(BINS_MAX * sizeof *count);
    *room = of[column];
    room->count = count;
    if (!count && of[column].bins > 0)
        return NULL;
    if (count)
        memset(count, 0, room->bins * sizeof *count);
    histogram_add(room, ranks);
    room->nans = room->bins > 0 ? room->nans : n;
    return room;
}

void histograms_close(struct histograms *h)
{
    histograms_free(h->of, h->groups);
    h->of = NULL;
    passes_close(&h->passes);
}

static bool is_finite(const struct value *v)
{
    return v->kind == VALUE_INTEGER || isfinite(v->real);
}

/* Makes the bins from the least to the greatest value, or none if there are no
 * values. */
static bool open_found(struct histogram *of, const struct plan *plan,
                       struct totals *t, struct error *e)
{
    struct value low, high;
    /* NaN have a count of their own. */
    t->nan = NAN_SKIP;
    t->empty = EMPTY_BLANK;
    if (t->is_text || !op_finish(op_find("min"), t, &low, e) ||
        !op_finish(op_find("max"), t, &high, e) || low.kind == VALUE_NONE)
        return true;
    if (!is_finite(&low) || !is_finite(&high))
        return error_set(e, ERROR_DATA,
                         "histogram: some values are infinite; say --range A,B "
                         "for finite bins");
    return histogram_open(of, t->dtype, &low, &high, plan->bins, e);
}

static bool open_all(struct histograms *h, const struct plan *plan,
                     const struct dataset *d, const struct states *states,
                     struct error *e)
{
    struct error why;
    for (size_t g = 0; g < h->groups; g++) {
        struct totals t = row_totals(plan, d, states, g);
        if (!open_found(&h->of[g], plan, &t, &why))
            return row_blame(d, g, &why, e);
    }
    return true;
}

/* Counts the values whose keys the first pass has kept. */
static bool count_kept(struct histogram *of, struct ranks *kept,
                       struct kept_loops use, struct error *e)
{
    const struct rank_parts asked = histogram_asks(of);
    struct ranks found;
    ranks_init(&found);
    found.asked = &asked;
    kept_run(kept->kept, of->dtype, use, &found);
    const bool ok = !found.lost || error_memory(e);
    histogram_add(of, &found);
    histogram_add_wides(of, &kept->wides);
    ranks_close(&found);
    return ok;
}

/* Asks the next pass to count the values in the bins. */
static void ask_bins(struct histograms *h)
{
    h->passes.pass.bytes = 0;
    for (size_t g = 0; g < h->groups; g++) {
        h->passes.parts[g] = (struct rank_parts){.parts = 0};
        if (h->of[g].bins)
            h->passes.parts[g] = histogram_asks(&h->of[g]);
        h->passes.pass.bytes += h->passes.parts[g].bins * sizeof(uint64_t);
    }
}

static bool count_again(struct histograms *h, const struct dataset *d,
                        struct engine_report *report, struct error *e)
{
    struct reduced left;
    ask_bins(h);
    if (!passes_again(&h->passes, d, &left, report, e))
        return false;
    for (size_t g = 0; g < h->groups; g++) {
        if (h->of[g].bins)
            histogram_add(&h->of[g],
                          &states_at(&left.states, g, MONOID_ranks)->ranks);
    }
    reduced_close(&left);
    return true;
}

/* As count_again, for each key. The results of this pass replace those of the
 * first, which only found the range. */
static bool count_by_key(struct histograms *h, const struct dataset *d,
                         struct reduced *reduced, struct engine_report *report,
                         struct error *e)
{
    struct engine_report more;
    struct job job = d->job;
    ask_bins(h);
    job.ranks = &h->passes.pass;
    reduced_close(reduced);
    *reduced = (struct reduced){.groups = NULL};
    h->passes.more++;
    if (!engine_run(&job, d->team, d->teams, d->inputs, d->count, reduced,
                    &more, e))
        return false;
    report->wall += more.wall;
    return true;
}

/* After the first pass: counts the values, in a second pass if needed. */
static bool finish(struct histograms *h, const struct plan *plan,
                   const struct dataset *d, struct reduced *reduced,
                   struct engine_report *report, struct error *e)
{
    const struct states *states = &reduced->states;
    bool ok = plan->has_range || open_all(h, plan, d, states, e);
    if (ok && plan_is_by(d))
        return plan->has_range || count_by_key(h, d, reduced, report, e);
    if (ok && !plan->has_range && d->reads_again)
        return count_again(h, d, report, e);
    for (size_t g = 0; ok && g < h->groups; g++) {
        struct ranks *left = &states_at(states, g, MONOID_ranks)->ranks;
        if (plan->has_range)
            histogram_add(&h->of[g], left);
        else if (h->of[g].bins)
            ok = count_kept(&h->of[g], left, passes_loops(plan, d), e);
    }
    /* The values that are not among the numbers are NaN. */
    for (size_t g = 0; ok && !plan->has_range && g < h->groups; g++) {
        if (!dataset_is_text(d, g))
            h->of[g].nans =
                states->tally[g].n -
                ranks_numbers(&states_at(states, g, MONOID_ranks)->ranks);
    }
    return ok;
}

bool histograms_begin(const struct plan *plan, const struct dataset *d,
                      struct job *job, struct histograms *ranked,
                      struct error *e)
{
    *ranked = (struct histograms){.of = NULL};
    if (plan->bins && plan_is_by(d) && !plan->has_range) {
        /* The first pass finds the range of the columns. */
        job->monoids = job->by.monoids & ~MONOID_BIT(ranks);
        job->by = (struct job_by){.columns = 0};
    } else if (plan_is_by(d) ? !plan->bins
                             : !(job->monoids & MONOID_BIT(ranks))) {
        return true;
    }
    job->ranks = &ranked->passes.pass;
    return plan->bins ? open_histograms(ranked, plan, d, e)
                      : passes_open(&ranked->passes, d, e) &&
                            passes_cover(&ranked->passes, plan, d, e);
}

bool histograms_end(const struct plan *plan, const struct dataset *d,
                    struct histograms *ranked, struct outcome *outcome,
                    struct engine_report *report, struct error *e)
{
    if (plan_is_by(d) ? !plan->bins : !(d->job.monoids & MONOID_BIT(ranks)))
        return true;
    if (!plan->bins)
        return passes_finish(&ranked->passes, plan, d, &outcome->reduced,
                             report, e);
    if (!finish(ranked, plan, d, &outcome->reduced, report, e))
        return false;
    outcome->histogram = ranked->of;
    ranked->of = NULL;
    return true;
}
