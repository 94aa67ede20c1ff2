/* SPDX-License-Identifier: MIT */
#include "engine/estimate.h"

#include <time.h>

/* Neither side of the comparison is known better. */
static const double MARGIN = 1.05;

/* The first chunks meet cold caches and pages that are not mapped yet. Two
 * threads that were to take 3.2 GB in 0.53 s looked so slow after 15 ms that a
 * GPU joined, which made it 0.65. Where a GPU is far better, the first look
 * says so nevertheless. */
static const double ROUGH[] = {0.25, 0.10};

unsigned estimate_feeders(const struct team *team, unsigned places)
{
    return team->workers < places ? team->workers : places;
}

unsigned estimate_stopped(unsigned workers)
{
    return workers <= ESTIMATE_STOPPED_MAX ? workers : 1;
}

bool estimate_pays(struct estimate *look, const struct team *team)
{
    unsigned feeders = estimate_feeders(team, look->workers);
    double rate = feeders * team->rate;
    if (rate > team->most)
        rate = team->most;
    /* The others keep the rest of the processors. */
    rate += look->rate * (look->workers - feeders) / look->workers;
    double others = 1 - (double)estimate_stopped(look->workers) / look->workers;
    double started = look->rate * team->start_up * others;
    double left = look->left - started;
    look->alone = look->left / look->rate;
    look->joined = team->start_up + (left > 0 ? left / rate : 0) + team->end;
    return look->busy >= team->busy &&
           (MARGIN + look->rough) * look->joined < look->alone;
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
    struct estimate look = {.workers = w->first->workers};
    watch_mark(w);
    double seconds = 1e-9 * (double)(w->at - last.at);
    look.rate = (double)(w->cut - last.cut) / seconds;
    look.busy = (w->processor - last.processor) / seconds / look.workers;
    look.left = watch_left(w);
    if (w->looks < sizeof ROUGH / sizeof ROUGH[0])
        look.rough = ROUGH[w->looks];
    w->looks++;
    return look;
}
