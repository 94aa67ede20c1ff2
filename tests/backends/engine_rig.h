/* SPDX-License-Identifier: MIT */
/* Runs the engine for every test, with one team or two. A run that does not
 * return in time ends the process. */
#pragma once

#include "engine/engine.h"
#include "fake.h"
#include "random.h"

/* Draws a plan of the fake backend with delays and without failures. */
struct fake_plan rig_fake(struct random *r);

/* Makes a team on the CPU. waits: it joins as soon as it may, instead of
 * running from the start. */
struct team rig_beside(unsigned workers, size_t chunk_bytes, bool waits);

/* In one call of seven, fills what is allocated and freed until the next call,
 * as MALLOC_PERTURB_ does. Filling the slots takes longer than a small run. */
void rig_fill(void);

/* Calls engine_run with the first team and, if it has workers, the second. */
bool rig_run(const struct job *job, const struct team *first,
             const struct team *beside, struct input *inputs, size_t count,
             struct reduced *out, struct engine_report *report,
             struct error *e);
