/* SPDX-License-Identifier: MIT */
/* Measures the CPU while it reduces an array along axes. If the device of
 * dataset->instead would end sooner, the trial cuts the run short. */
#pragma once

#include "axis/axis.h"
#include "engine/estimate.h"
#include "plan/plan.h"

/* Used by one thread. */
struct trial {
    const struct dataset *d;
    struct watch watch;
    uint64_t next;            /* time of the next measurement, as meter_now */
    bool is_warm;             /* the first measurement began */
    bool is_over;             /* decided: no more measurements */
    char reason[TEAM_REASON]; /* the decision and why; or "" */
    struct axis_watch asked;  /* what job->watch points to */
};

/* Starts a trial: sets job->watch, if the dataset has a d->instead. */
void trial_begin(struct trial *t, const struct dataset *d,
                 struct axis_job *job);
