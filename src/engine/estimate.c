/* SPDX-License-Identifier: MIT */
#include "engine/estimate.h"

#include <time.h>

/* Joining must be estimated this many times as fast, since both estimates are
 * equally rough. */
static const double MARGIN = 1.05;

/* Shares by which the first and the second measurement may be too low: the
 * first chunks meet cold caches and pages that are not mapped yet. Two threads
 * that needed 0.53 s for 3.2 GB seemed so slow after 15 ms that a GPU joined,
 * and the run took 0.65 s. If a GPU is far faster, it joins at the first
 * measurement nevertheless. */
static const double ROUGH[] = {0.25, 0.10};

unsigned estimate_feeders(const struct team *team, unsigned places)
{
    return team->workers < places ? team->workers : places;
}

unsigned estimate_stopped(unsigned workers)
{
    return workers <= ESTIMATE_STOPPED_MAX ? workers : 1;
}

bool estimate_pays(struct estimate *estimate, const struct team *team)
{
    unsigned feeders = estimate_feeders(team, estimate->workers);
    double rate = feeders * team->rate;
    if (rate > team->most)
        rate = team->most;
    /* Workers of the first team keep the places that feeders do not take. */
    rate += estimate->rate * (estimate->workers - feeders) / estimate->workers;
    double others =
        1 - (double)estimate_stopped(estimate->workers) / estimate->workers;
    double started = estimate->rate * team->start_up * others;
    double left = estimate->left - started;
    estimate->alone = estimate->left / estimate->rate;
    estimate->joined =
        team->start_up + (left > 0 ? left / rate : 0) + team->end;
    return estimate->busy >= team->busy &&
           (MARGIN + estimate->rough) * estimate->joined < estimate->alone;
}

bool estimate_pays_instead(struct estimate *estimate, const struct team *team,
                           double bytes, double more)
{
    const double fed = team->workers * team->rate;
    estimate->alone = estimate->left / estimate->rate;
    estimate->joined = team->start_up + team->end + more +
                       bytes / (fed < team->most ? fed : team->most);
    return estimate->busy >= team->busy &&
           (MARGIN + estimate->rough) * estimate->joined < estimate->alone;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void watch_init(struct watch *w, const struct meter *meter,
                const struct team *first, uint64_t bytes)
{
    *w = (struct watch){.meter = meter, .first = first};
    w->end = atomic_load(&meter->cut) + bytes;
}

void watch_mark(struct watch *w)
{
    w->at = meter_now();
    w->processor = processor_seconds();
    w->cut = atomic_load(&w->meter->cut);
}

double watch_left(const struct watch *w)
{
    uint64_t cut = atomic_load(&w->meter->cut);
    return w->end > cut ? (double)(w->end - cut) : 0;
}

struct estimate watch_look(struct watch *w)
{
    struct watch last = *w;
    struct estimate estimate = {.workers = w->first->workers};
    watch_mark(w);
    double seconds = 1e-9 * (double)(w->at - last.at);
    estimate.rate = (double)(w->cut - last.cut) / seconds;
    estimate.busy =
        (w->processor - last.processor) / seconds / estimate.workers;
    estimate.left = watch_left(w);
    if (w->looks < sizeof ROUGH / sizeof ROUGH[0])
        estimate.rough = ROUGH[w->looks];
    w->looks++;
    return estimate;
}
