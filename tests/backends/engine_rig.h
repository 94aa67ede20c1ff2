/* SPDX-License-Identifier: MIT */
/* How every test runs the engine: in one team or beside another, which joins as
 * soon as it may, and with an end to the process where it does not come back.
 */
#pragma once

#include "engine/engine.h"
#include "fake.h"
#include "random.h"

/* A plan of the fake backend that takes its time and does not fail. */
struct fake_plan rig_fake(struct random *r);

/* A team of the CPU that joins as soon as it may, or is there from the start.
 */
struct team rig_beside(unsigned workers, size_t chunk_bytes, bool waits);

/* engine_run with the first team and, where it has workers, the one beside. */
bool rig_run(const struct job *job, const struct team *first,
             const struct team *beside, struct input *inputs, size_t count,
             struct reduced *out, struct engine_report *report,
             struct error *e);
