/* SPDX-License-Identifier: MIT */
#include "run/trial.h"

#include <stdio.h>
#include <string.h>

enum {
    /* Milliseconds until the threads are busy, then of the first measurement,
     * then of each later one. */
    WARM_UP_MS = 5,
    FIRST_MEASURE_MS = 10,
    MEASURE_MS = 25,
};

/* Seconds for each output on a device, with one worker and with several. The
 * workers fetch its values, which are printed once all are there. 4 GiB of f32
 * in rows of 4 took longer than in rows of 1024: by 0.9 s with one worker, 0.55
 * s with two, 0.45 s with four or eight.
 */
static const double OUTPUT_ONE = 3.5e-9, OUTPUT_MANY = 1.7e-9;

/* Seconds from the start of a device until its workers have their contexts.
 * Measured with 2 and 4 workers: the time of a run restarted on a GPU, less
 * start-up, transfers and end. */
static const double CONTEXTS = 0.12;

static double more_time(const struct trial *t)
{
    const double each = t->d->instead.workers > 1 ? OUTPUT_MANY : OUTPUT_ONE;
    return CONTEXTS + each * (double)geometry_outputs(&t->d->geometry);
}

static bool pays(struct trial *t, struct estimate *estimate,
                 const struct team *team)
{
    const bool ok = estimate_pays_instead(estimate, team, (double)t->d->bytes,
                                          more_time(t));
    snprintf(t->reason, sizeof t->reason,
             "measured %.2g GB/s on %u threads: %.3g s left on the CPU, %.3g s "
             "for all of it with %s",
             1e-9 * estimate->rate, estimate->workers, estimate->alone,
             estimate->joined, team->backend->title);
    return ok;
}

/* Starts the device while the other threads work, and estimates again. */
static bool starts(struct trial *t, struct estimate *estimate)
{
    struct error e;
    struct team team = t->d->instead;
    const struct backend *backend = team.backend;
    const size_t at = strlen(t->reason);
    if (backend->probe && !backend->probe(team.device, &e)) {
        snprintf(t->reason + at, sizeof t->reason - at, "; but %.90s", e.text);
        return false;
    }
    const double speed = backend->speed ? backend->speed(team.device) : 0;
    if (speed > 0 && speed < team.bus)
        team.most *= speed / team.bus;
    team.start_up = 0;
    estimate->left = watch_left(&t->watch);
    return pays(t, estimate, &team);
}

static void wait_ms(struct trial *t, uint64_t now, uint64_t ms)
{
    t->next = now + ms * 1000000;
}

static bool goes_on(void *context)
{
    struct trial *t = context;
    const uint64_t now = meter_now();
    if (t->is_over || now < t->next)
        return true;
    if (!t->is_warm) {
        t->is_warm = true;
        watch_mark(&t->watch);
        wait_ms(t, now, FIRST_MEASURE_MS);
        return true;
    }
    struct estimate estimate = watch_look(&t->watch);
    wait_ms(t, now, MEASURE_MS);
    if (estimate.rate <= 0 || !pays(t, &estimate, &t->d->instead))
        return true;
    t->is_over = true;
    return !starts(t, &estimate);
}

void trial_begin(struct trial *t, const struct dataset *d, struct axis_job *job)
{
    *t = (struct trial){.d = d, .asked = {goes_on, t}};
    if (!d->instead.backend)
        return;
    watch_init(&t->watch, d->job.meter, &d->team[0], d->bytes);
    wait_ms(t, meter_now(), WARM_UP_MS);
    job->watch = &t->asked;
}
