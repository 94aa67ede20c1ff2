/* SPDX-License-Identifier: MIT */
/*
 * Watches a run and lets the waiting team join if the run then ends earlier,
 * the team's start-up included. The first team is measured in this run, by its
 * bytes and its processor time; the waiting team's speeds and start-up are
 * those of its backend's table (struct backend_cost). While there are too
 * many keys, it does not start. After its device has started, a device that
 * fails, a run that has ended, or a bus so slow that joining is useless turns
 * it away.
 */
#pragma once

#include "engine/worker.h"

struct joiner;

/* Starts the thread that measures, decides, opens the device and starts the
 * team's workers. bytes: of all inputs, which must be known. NULL: no thread;
 * the team does not join. */
struct joiner *join_start(struct run *run, const struct team *first,
                          const struct team *team, uint64_t bytes);

/* Call it after the workers of the first team have ended. Waits for the workers
 * that joined, and frees the joiner. Sets *team and `reason` to what the team
 * did. Adds to *first the work that the joiner did in place of its workers.
 * joiner may be NULL. */
void join_end(struct joiner *joiner, struct team_report *first,
              struct team_report *team, char reason[TEAM_REASON]);
