/* SPDX-License-Identifier: MIT */
#include "engine/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/wait.h"

enum {
    /* Until the threads are at work; from then until the first look; between
     * the others. */
    WARM_UP_MS = 5,
    FIRST_LOOK_MS = 10,
    LOOK_MS = 25,
};

/* Neither side of the comparison is known better. */
static const double MARGIN = 1.05;

struct joiner {
    struct run *run;
    const struct team *first, *team;
    uint64_t end; /* of meter->dealt, when all is dealt */
    char reason[TEAM_REASON];
    bool has_place; /* of one of the first team's workers */
    struct team_report report;
    uint64_t stood_in; /* bytes done for the first team */

    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool is_over;
};

/* Workers of the team on one device: they take the places of others. */
static unsigned feeders_of(const struct team *team, unsigned places)
{
    return team->workers < places ? team->workers : places;
}

bool join_pays(struct outlook *look, const struct team *team)
{
    unsigned feeders = feeders_of(team, look->workers);
    double rate = feeders * team->rate;
    if (rate > team->most)
        rate = team->most;
    /* The others keep the rest of the processors. */
    rate += look->rate * (look->workers - feeders) / look->workers;
    double left = look->left - look->rate * team->start_up;
    look->alone = look->left / look->rate;
    look->joined = team->start_up + (left > 0 ? left / rate : 0);
    return look->busy >= team->busy && MARGIN * look->joined < look->alone;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What to measure the next look against. */
struct mark {
    uint64_t at; /* ns */
    double processor;
    uint64_t dealt;
};

static struct mark mark_now(const struct joiner *j)
{
    return (struct mark){meter_now(), processor_seconds(),
                         atomic_load(&j->run->meter->dealt)};
}

static bool look_now(struct joiner *j, struct mark *last)
{
    struct mark now = mark_now(j);
    double seconds = 1e-9 * (double)(now.at - last->at);
    struct outlook look = {.rate = (double)(now.dealt - last->dealt) / seconds,
                           .workers = j->first->workers};
    look.left = j->end > now.dealt ? (double)(j->end - now.dealt) : 0;
    look.busy = (now.processor - last->processor) / seconds / look.workers;
    *last = now;
    bool pays = look.rate > 0 && join_pays(&look, j->team);
    if (look.rate > 0)
        snprintf(j->reason, sizeof j->reason,
                 "%u threads were seen to take %.1f GB/s, %.0f %% busy: %.2f s "
                 "more alone, %.2f s with a GPU",
                 look.workers, 1e-9 * look.rate, 100 * look.busy, look.alone,
                 look.joined);
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
    struct mark last = mark_now(j);
    unsigned ms = FIRST_LOOK_MS;
    while (!wait_over(j, ms)) {
        if (look_now(j, &last))
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
    const struct backend *backend = j->team->backend;
    unsigned count = backend->count ? backend->count() : 1;
    unsigned places = j->first->workers;
    unsigned limit = places / feeders_of(j->team, places);
    return count < limit ? count : limit;
}

static void run_team(struct joiner *j)
{
    unsigned devices = devices_of(j);
    unsigned count = devices * feeders_of(j->team, j->first->workers);
    struct worker *workers = calloc(count, sizeof *workers);
    struct error e;
    if (!workers) {
        error_set(&e, ERROR_DATA, "out of memory");
        refuse(j, &e);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        worker_init(&workers[i], j->run, j->team,
                    j->team->gpu + (int)(i % devices));
        workers[i].joins = true;
    }
    workers[0].has_one = j->has_place;
    unsigned started = workers_start(workers, count);
    workers_wait(workers, started);
    for (unsigned i = 0; i < started; i++) {
        j->report.workers += workers[i].lane != NULL;
        j->report.bytes += workers[i].bytes;
    }
    if (started == 0)
        error_set(&workers[0].refused, ERROR_DATA, "no more threads");
    if (!j->report.workers)
        refuse(j, &workers[0].refused);
    free(workers);
}

/* The device's start gets a processor to itself: beside as many threads as
 * there are processors it took 0.25 to 0.4 s, beside one less 0.2. */
static void make_room(struct joiner *j)
{
    j->has_place = j->first->workers > 1;
    if (j->has_place)
        run_take_place(j->run);
}

/* Does the work of the worker whose place was taken for nothing. */
static void stand_in(struct joiner *j)
{
    struct worker w;
    worker_init(&w, j->run, j->first, j->first->gpu);
    w.joins = w.has_one = true;
    worker_run(&w);
    j->stood_in = w.bytes;
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
    bool ok = !backend->probe || backend->probe(j->team->gpu, &e);
    meter_add(j->run->meter, STAGE_START_UP, start, 0);
    if (!ok)
        refuse(j, &e);
    else if (!wait_over(j, 0))
        run_team(j);
    if (j->has_place && !j->report.workers)
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
    j->end = atomic_load(&run->meter->dealt) + bytes;
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
