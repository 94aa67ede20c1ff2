/* SPDX-License-Identifier: MIT */
#include "engine/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wait.h"
#include "engine/estimate.h"

enum {
    /* Until the threads are at work; from then until the first look; between
     * the others. */
    WARM_UP_MS = 5,
    FIRST_LOOK_MS = 10,
    LOOK_MS = 25,
};

struct joiner {
    struct run *run;
    const struct team *first, *team;
    struct watch watch;
    struct estimate look; /* the last one */
    char reason[TEAM_REASON];
    struct team_report report;
    uint64_t stood_in; /* bytes done for the first team */

    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool is_over;
};

/* Whether it would pay now. */
static bool look_now(struct joiner *j)
{
    struct estimate *look = &j->look;
    *look = watch_look(&j->watch);
    if (look->rate <= 0)
        return false;
    bool pays = estimate_pays(look, j->team);
    snprintf(j->reason, sizeof j->reason,
             "%u threads were seen to take %.1f GB/s, %.0f %% busy: %.2f s "
             "more alone, %.2f s with %s",
             look->workers, 1e-9 * look->rate, 100 * look->busy, look->alone,
             look->joined, j->team->backend->title);
    return pays;
}

/* Waits so long; true when the run is over. */
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
    unsigned ms = FIRST_LOOK_MS;
    while (!wait_over(j, ms)) {
        if (look_now(j))
            return true;
        ms = LOOK_MS;
    }
    return false;
}

static void refuse(struct joiner *j, const struct error *why)
{
    size_t at = strlen(j->reason);
    snprintf(j->reason + at, sizeof j->reason - at, "; but %.120s", why->text);
}

/* On how many devices: the first team has a place for each worker, or for those
 * of one device. */
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
    for (unsigned i = 0; i < started; i++) {
        j->report.workers += workers[i].context != NULL;
        j->report.bytes += workers[i].bytes;
    }
    if (started == 0)
        error_set(&workers[0].refused, ERROR_DATA, "no more threads");
    if (!j->report.workers)
        refuse(j, &workers[0].refused);
    free(workers);
}

/* The device's start gets a processor to itself: beside as many threads as
 * there are processors it took 0.25 to 0.4 s, beside one less 0.2. On one or
 * two processors nothing else is done meanwhile: 2.5 GB of 100 columns took
 * 0.89 s on one with both at once where the GPU alone took 0.68. */
static void make_room(struct joiner *j)
{
    const unsigned stopped = estimate_stopped(j->first->workers);
    atomic_store(&j->run->kept, stopped);
    for (unsigned i = 0; i < stopped; i++)
        run_take_place(j->run);
}

/* Once more when it has started, by the bus that there is. */
static bool still_pays(struct joiner *j, struct error *e)
{
    const struct backend *backend = j->team->backend;
    double speed = backend->speed ? backend->speed(j->team->device) : 0;
    struct team team = *j->team;
    struct estimate look = j->look;
    if (speed <= 0 || speed >= team.bus)
        return true;
    team.most *= speed / team.bus;
    team.start_up = team.end = 0; /* what it has cost, it has */
    look.left = watch_left(&j->watch);
    look.rough = 0;
    return estimate_pays(&look, &team) ||
           error_set(e, ERROR_DEVICE, "its bus takes no more than %.1f GB/s",
                     1e-9 * speed);
}

/* Does the work of the workers whose places were taken for nothing. */
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
        run_team(j); /* without a place, what is left is nobody else's */
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
