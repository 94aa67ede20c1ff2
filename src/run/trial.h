/* SPDX-License-Identifier: MIT */
/* An array that the CPU begins to reduce along axes while it is measured. If
 * the device of dataset->instead would end sooner, the run is cut short. */
#pragma once

#include "axis/axis.h"
#include "engine/estimate.h"
#include "plan/plan.h"

/* Used by one thread. */
struct trial {
    const struct dataset *d;
    struct watch watch;
    uint64_t next;            /* when to look, ns of meter_now */
    bool is_warm;             /* the first measurement began */
    bool is_over;             /* there are no more looks */
    char reason[TEAM_REASON]; /* what was decided, and why; or "" */
    struct axis_watch asked;
};

/* Sets job->watch if the dataset has such a device. */
void trial_begin(struct trial *t, const struct dataset *d,
                 struct axis_job *job);
