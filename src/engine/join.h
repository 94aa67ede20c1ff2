/* SPDX-License-Identifier: MIT */
/*
 * Watches a run and lets a team join that waits: when the others would need
 * longer than that team's start-up and what it then shares with them. It looks
 * at what they have done so far, on this machine and this data, rather than
 * at a table of speeds, and at the processor time that it took them.
 */
#pragma once

#include "engine/worker.h"

struct joiner;

/* Starts watching; bytes: of all inputs. NULL where there can be no thread: the
 * team then does not join. */
struct joiner *join_start(struct run *run, const struct team *first,
                          const struct team *team, uint64_t bytes);

/* When the first team is at its end: waits for the others' end, and tells what
 * the team did; adds to `first` what was done in its place. */
void join_end(struct joiner *joiner, struct team_report *first,
              struct team_report *team, char reason[TEAM_REASON]);
