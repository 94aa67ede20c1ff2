/* SPDX-License-Identifier: MIT */
#include "run/passes.h"

#include <stdlib.h>

#include "plan/quantiles.h"
#include "run/covers.h"
#include "run/row.h"

/* The most bytes of keys that a pass keeps, over all groups. */
enum { KEPT_BYTES = 64 << 20 };

bool passes_open(struct passes *p, const struct dataset *d, struct error *e)
{
    const struct schema schema = job_schema(&d->job);
    const size_t groups = schema.groups;
    *p = (struct passes){.parts = malloc((groups + 1) * sizeof *p->parts)};
    p->pass.parts = p->parts;
    if (!p->parts)
        return error_memory(e);
    for (size_t g = 0; g < groups; g++) {
        const enum dtype dtype = schema_dtype(&schema, g);
        rank_ask_all(&p->parts[g], &p->part[dtype], dtype, d->rank_bits);
        p->pass.bytes += p->parts[g].bins * sizeof(uint64_t);
    }
    return true;
}

/* Whether the first pass is likely to be the only one. */
static bool is_covered(const struct passes *p, const struct dataset *d)
{
    size_t g = 0;
    while (g < job_groups(&d->job) && p->parts[g].covers)
        g++;
    return g == job_groups(&d->job);
}

/* Whether the CPU would count each value of a narrow type, in one pass. */
static bool counts_each(const struct dataset *d)
{
    return d->rank_bits > 0 && d->team[0].backend->rank_counters == 0;
}

bool passes_cover(struct passes *p, const struct plan *plan,
                  const struct dataset *d, struct error *e)
{
    if (!d->reads_again && !counts_each(d))
        return true;
    const bool ok = covers_ask(plan, d, p->parts, &p->cover, e);
    p->pass.bytes = 0;
    for (size_t g = 0; g < job_groups(&d->job); g++)
        p->pass.bytes += p->parts[g].bins * sizeof(uint64_t);
    p->spared = ok && d->reads_again && is_covered(p, d) ? d->bytes : 0;
    atomic_fetch_add(&d->job.meter->spared, p->spared);
    return ok;
}

void passes_close(struct passes *p)
{
    free(p->parts);
    free(p->cover);
    p->parts = NULL;
    p->cover = NULL;
}

struct kept_loops passes_loops(const struct plan *plan, const struct dataset *d)
{
    return (struct kept_loops){d->job.portable ? &cpu_loops_base : cpu_loops(0),
                               plan->settings.threads};
}

/* A search for each group. */
struct searches {
    const struct plan *plan;
    const struct dataset *d;
    struct rank_search *of; /* [groups], owned */
    uint64_t *nans;         /* [groups], owned: NaN among the values */
    size_t groups;
    struct kept_loops use;
};

/* The number of values of a group that have ranks. Values that the first pass
 * did not count as numbers are NaN. */
static uint64_t ranked(struct searches *s, const struct states *states,
                       size_t g)
{
    const uint64_t n =
        ranks_numbers(&states_at(states, g, MONOID_ranks)->ranks);
    if (dataset_is_text(s->d, g))
        return 0;
    s->nans[g] = states->tally[g].n - n;
    return s->nans[g] == 0 || s->plan->nan == NAN_SKIP ? n : 0;
}

/* Begins a group's search with the counts and keys of the first pass. */
static bool begin(struct searches *s, const struct states *states, size_t g,
                  uint64_t *rank, struct error *e)
{
    const uint64_t n = ranked(s, states, g);
    const size_t ranks = covers_ranks(s->plan, n, rank);
    return search_open(&s->of[g], schema_dtype(&states->schema, g), n, rank,
                       ranks, e) &&
           search_narrow(&s->of[g], &states_at(states, g, MONOID_ranks)->ranks,
                         e);
}

static bool begin_all(struct searches *s, const struct states *states,
                      struct error *e)
{
    uint64_t *rank = malloc(covers_ranks_most(s->plan) * sizeof *rank);
    bool ok = rank || error_memory(e);
    for (size_t g = 0; ok && g < s->groups; g++)
        ok = begin(s, states, g, rank, e);
    free(rank);
    return ok;
}

/* Finishes the searches whose keys are in memory. */
static bool search_memory(struct searches *s, struct error *e)
{
    bool ok = true;
    for (size_t g = 0; ok && g < s->groups; g++) {
        if (s->of[g].is_kept)
            ok = search_kept(&s->of[g], s->use, e);
    }
    return ok;
}

/* Sets what the next pass asks: to keep the keys of groups whose keys fit, and
 * to count those of the others. Returns how many ranges are left. */
static size_t ask(struct searches *s, struct rank_parts *parts, size_t *bins)
{
    size_t all = 0, ranges;
    uint64_t room = KEPT_BYTES;
    *bins = 0;
    for (size_t g = 0; g < s->groups; g++) {
        search_left(&s->of[g], &ranges);
        all += ranges;
    }
    const unsigned bits = quantiles_bits(s->d, all ? all : 1);
    for (size_t g = 0; g < s->groups; g++) {
        struct rank_search *search = &s->of[g];
        const uint64_t n = search_left(search, &ranges),
                       bytes = n * dtype_info(search->dtype)->size;
        const bool keeps = bytes <= room;
        room -= keeps ? bytes : 0;
        search_ask(search, keeps, bits);
        parts[g] = search->asked;
        *bins += search->asked.bins;
    }
    return all;
}

static bool narrow_all(struct searches *s, const struct states *states,
                       struct error *e)
{
    bool ok = true;
    for (size_t g = 0; ok && g < s->groups; g++)
        ok = search_narrow(&s->of[g],
                           &states_at(states, g, MONOID_ranks)->ranks, e);
    return ok;
}

/* Runs the engine once more, but keeps what the first pass counted in each
 * input, by which the places of elements are found. */
static bool run_again(const struct job *job, const struct dataset *d,
                      struct reduced *left, struct engine_report *report,
                      struct error *e)
{
    struct counted {
        uint64_t records, lines;
    } *kept = malloc(d->count * sizeof *kept);
    if (!kept)
        return error_memory(e);
    for (size_t i = 0; i < d->count; i++)
        kept[i] = (struct counted){d->inputs[i].records, d->inputs[i].lines};
    const bool ok = engine_run(job, d->team, d->teams, d->inputs, d->count,
                               left, report, e);
    for (size_t i = 0; i < d->count; i++) {
        d->inputs[i].records = kept[i].records;
        d->inputs[i].lines = kept[i].lines;
    }
    free(kept);
    return ok;
}

bool passes_again(struct passes *p, const struct dataset *d,
                  struct reduced *left, struct engine_report *report,
                  struct error *e)
{
    struct engine_report more;
    struct job job = d->job;
    job.monoids = MONOID_BIT(ranks);
    job.ranks = &p->pass;
    job.folds = NULL;
    job.notes = false;
    p->more++;
    atomic_fetch_sub(&d->job.meter->spared, p->spared);
    p->spared = 0;
    if (!run_again(&job, d, left, &more, e))
        return false;
    report->wall += more.wall;
    return true;
}

/* Writes the values to the states, where operations read them. */
static bool write_found(const struct searches *s, const struct states *states,
                        struct error *e)
{
    for (size_t g = 0; g < s->groups; g++) {
        struct ranks *r = &states_at(states, g, MONOID_ranks)->ranks;
        ranks_close(r);
        r->found = malloc((s->of[g].targets + 1) * sizeof *r->found);
        if (!r->found)
            return error_memory(e);
        search_write(&s->of[g], r->found);
        r->founds = s->of[g].targets;
        r->nans = s->nans[g];
    }
    return true;
}

static bool search_all(struct searches *s, struct passes *p,
                       struct engine_report *report, struct error *e)
{
    struct reduced left;
    size_t bins;
    while (search_memory(s, e)) {
        if (ask(s, p->parts, &bins) == 0)
            return true;
        p->pass.bytes = bins * sizeof(uint64_t);
        if (!passes_again(p, s->d, &left, report, e))
            return false;
        const bool ok = narrow_all(s, &left.states, e);
        reduced_close(&left);
        if (!ok)
            return false;
    }
    return false;
}

bool passes_finish(struct passes *p, const struct plan *plan,
                   const struct dataset *d, struct reduced *reduced,
                   struct engine_report *report, struct error *e)
{
    const size_t groups = reduced->states.groups;
    struct searches s = {plan,
                         d,
                         calloc(groups + 1, sizeof *s.of),
                         calloc(groups + 1, sizeof *s.nans),
                         groups,
                         passes_loops(plan, d)};
    bool ok = (s.of && s.nans) || error_memory(e);
    ok = ok && begin_all(&s, &reduced->states, e) &&
         search_all(&s, p, report, e) && write_found(&s, &reduced->states, e);
    for (size_t g = 0; s.of && g < groups; g++)
        search_close(&s.of[g]);
    free(s.of);
    free(s.nans);
    return ok;
}
