/* SPDX-License-Identifier: MIT */
#include "engine/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wait.h"
#include "engine/estimate.h"

enum {
    /* In milliseconds: the time until the threads are busy, then the length of
     * the first measurement, then that of later ones. */
    WARM_UP_MS = 5,
    FIRST_MEASURE_MS = 10,
    MEASURE_MS = 25,
};

/* The watching thread alone uses the fields, except is_over, until join_end has
 * joined that thread. */
struct joiner {
    struct run *run;
    const struct team *first, *team;
    struct watch watch;
    struct estimate estimate; /* the last measurement */
    size_t keys;              /* of the run, at the last measurement */
    char reason[TEAM_REASON];
    struct team_report report;
    uint64_t stood_in; /* bytes that stand_in reduced for the first team */

    pthread_t thread;
    pthread_mutex_t lock; /* guards is_over */
    pthread_cond_t over;
    bool is_over;
};

/* Whether the device has room for all keys. If they are more than a few, their
 * number must have stopped growing; the rate at which workers make new records
 * says nothing of later ones either. */
static bool suits_keys(struct joiner *j)
{
    enum { FEW = 4096 };
    struct groups *groups = j->run->total.groups;
    const size_t before = j->keys;
    if (!groups)
        return true;
    j->keys = groups->has_many ? groups_keys(groups) : groups->own_keys;
    if (j->keys <= FEW ||
        (j->keys <= j->team->backend->keys && j->keys - before <= j->keys / 8))
        return true;
    snprintf(j->reason, sizeof j->reason,
             "%zu keys so far are too many for %s, or more are to come",
             j->keys, j->team->backend->title);
    return false;
}

/* Measures, and returns whether joining pays now. */
static bool measure(struct joiner *j)
{
    struct estimate *estimate = &j->estimate;
    *estimate = watch_look(&j->watch);
    if (estimate->rate <= 0 || estimate->left <= 0)
        return false;
    if (!suits_keys(j))
        return false;
    struct team team = *j->team;
    team.end += (double)j->keys * team.backend->key;
    bool pays = estimate_pays(estimate, &team);
    snprintf(j->reason, sizeof j->reason,
             "measured %.1f GB/s on %u threads, %.0f %% busy: %.3g s left on "
             "the CPU alone, %.3g s with %s",
             1e-9 * estimate->rate, estimate->workers, 100 * estimate->busy,
             estimate->alone, estimate->joined, j->team->backend->title);
    return pays;
}

/* Waits `ms` milliseconds, or until the run is over and returns true. */
static bool wait_over(struct joiner *j, unsigned ms)
{
    uint64_t until = meter_now() + ms * (uint64_t)1000000;
    pthread_mutex_lock(&j->lock);
    while (!j->is_over && wait_until(&j->over, &j->lock, until))
        ;
    bool over = j->is_over;
    pthread_mutex_unlock(&j->lock);
    return over;
}

static bool wait_until_it_pays(struct joiner *j)
{
    if (wait_over(j, WARM_UP_MS))
        return false;
    watch_mark(&j->watch);
    unsigned ms = FIRST_MEASURE_MS;
    while (!wait_over(j, ms)) {
        if (measure(j))
            return true;
        ms = MEASURE_MS;
    }
    return false;
}

/* Adds to the reason why the team does not join. */
static void refuse(struct joiner *j, const struct error *why)
{
    size_t at = strlen(j->reason);
    snprintf(j->reason + at, sizeof j->reason - at, "; but %.120s", why->text);
}

/* The number of devices that the team uses: each worker needs a place of the
 * first team. There are always enough places for one device. */
static unsigned devices_of(const struct joiner *j)
{
    unsigned count = backend_count(j->team->backend);
    unsigned places = j->first->workers;
    unsigned limit = places / estimate_feeders(j->team, places);
    return count < limit ? count : limit;
}

static void run_team(struct joiner *j)
{
    unsigned devices = devices_of(j);
    unsigned count = devices * estimate_feeders(j->team, j->first->workers);
    struct worker *workers = calloc(count, sizeof *workers);
    struct error e;
    if (!workers) {
        error_memory(&e);
        refuse(j, &e);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        worker_init(&workers[i], j->run, j->team,
                    j->team->device + (int)(i % devices));
        workers[i].joins = true;
    }
    unsigned started = workers_start(workers, count);
    workers_wait(workers, started);
    for (unsigned i = 0; i < started; i++)
        worker_report(&workers[i], &j->report);
    if (started == 0)
        error_set(&workers[0].refused, ERROR_DATA, "no more threads");
    if (!j->report.workers)
        refuse(j, &workers[0].refused);
    free(workers);
}

/* Stops workers of the first team, so that the device's start has a processor
 * to itself: beside as many threads as processors it took 0.25 to 0.4 s, beside
 * one less 0.2. One or two workers all stop: on one processor, 2.5 GB of 100
 * columns took 0.89 s with both in parallel, 0.68 with the GPU alone. */
static void make_room(struct joiner *j)
{
    const unsigned stopped = estimate_stopped(j->first->workers);
    atomic_store(&j->run->kept, stopped);
    for (unsigned i = 0; i < stopped; i++)
        run_take_place(j->run);
}

/* Estimates again after the device has started, with the measured speed of its
 * bus. */
static bool still_pays(struct joiner *j, struct error *e)
{
    const struct backend *backend = j->team->backend;
    double speed = backend->speed ? backend->speed(j->team->device) : 0;
    struct team team = *j->team;
    struct estimate estimate = j->estimate;
    if (speed <= 0 || speed >= team.bus)
        return true;
    team.most *= speed / team.bus;
    team.start_up = team.end = 0; /* already paid; not charged again */
    estimate.left = watch_left(&j->watch);
    estimate.rough = 0;
    return estimate_pays(&estimate, &team) ||
           error_set(e, ERROR_DEVICE, "its bus takes no more than %.1f GB/s",
                     1e-9 * speed);
}

/* Works, as the first team, in the places that make_room freed and no worker of
 * the team took. */
static void stand_in(struct joiner *j)
{
    struct worker w[ESTIMATE_STOPPED_MAX];
    const unsigned count = atomic_load(&j->run->kept);
    if (count == 0)
        return;
    for (unsigned i = 0; i < count; i++) {
        worker_init(&w[i], j->run, j->first, j->first->device);
        w[i].joins = true;
    }
    const unsigned started = workers_start(w + 1, count - 1);
    worker_run(w);
    workers_wait(w + 1, started);
    for (unsigned i = 0; i <= started; i++)
        j->stood_in += w[i].bytes;
}

/* The thread that watches: waits until joining pays, starts the device, and
 * runs the team. */
static void *watch(void *joiner)
{
    struct joiner *j = joiner;
    struct error e;
    if (!wait_until_it_pays(j))
        return NULL;
    make_room(j);
    uint64_t start = meter_now();
    const struct backend *backend = j->team->backend;
    bool ok = (!backend->probe || backend->probe(j->team->device, &e)) &&
              still_pays(j, &e);
    meter_add(j->run->meter, STAGE_START_UP, start, 0);
    if (!ok)
        refuse(j, &e);
    else if (atomic_load(&j->run->places) == 0 || !wait_over(j, 0))
        run_team(j); /* if no place is left, only this team can end the run */
    stand_in(j);
    return NULL;
}

struct joiner *join_start(struct run *run, const struct team *first,
                          const struct team *team, uint64_t bytes)
{
    struct joiner *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    j->run = run;
    j->first = first;
    j->team = team;
    watch_init(&j->watch, run->meter, first, bytes);
    if (pthread_mutex_init(&j->lock, NULL) != 0)
        goto free_joiner;
    if (!wait_init(&j->over))
        goto destroy_lock;
    if (pthread_create(&j->thread, NULL, watch, j) == 0)
        return j;
    pthread_cond_destroy(&j->over);
destroy_lock:
    pthread_mutex_destroy(&j->lock);
free_joiner:
    free(j);
    return NULL;
}

void join_end(struct joiner *j, struct team_report *first,
              struct team_report *team, char reason[TEAM_REASON])
{
    if (!j)
        return;
    pthread_mutex_lock(&j->lock);
    j->is_over = true;
    pthread_cond_signal(&j->over);
    pthread_mutex_unlock(&j->lock);
    pthread_join(j->thread, NULL);
    *team = j->report;
    first->bytes += j->stood_in;
    memcpy(reason, j->reason, TEAM_REASON);
    pthread_cond_destroy(&j->over);
    pthread_mutex_destroy(&j->lock);
    free(j);
}
