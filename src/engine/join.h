/* SPDX-License-Identifier: MIT */
/*
 * Watches a run and lets the waiting team join if the run then ends earlier,
 * the team's start-up included. The decision rests on what the first team has
 * done so far, on this machine and this data, and on the processor time that it
 * took, not on a table of speeds.
 */
#pragma once

#include "engine/worker.h"

struct joiner;

/* Starts a thread that watches. bytes: of all inputs. NULL: no thread; the team
 * does not join. */
struct joiner *join_start(struct run *run, const struct team *first,
                          const struct team *team, uint64_t bytes);

/* Call it when the workers of the first team have ended. Waits for the workers
 * that joined, and frees the joiner. Sets *team and `reason` to what the team
 * did, and adds to *first what was done in its place. joiner may be NULL. */
void join_end(struct joiner *joiner, struct team_report *first,
              struct team_report *team, char reason[TEAM_REASON]);
